"""Which programs a shell's command line calls, as far as that can be read without running it."""

import re
import shlex
from collections.abc import Iterator

SHELLS = frozenset({"sh", "bash", "dash", "ksh", "zsh", "ash"})

_BUILTINS = {"[", ":", "break", "case", "cd", "continue", "echo", "exit", "export", "false", "for", "local", "printf"}
_BUILTINS |= {"pwd", "read", "return", "set", "shift", "test", "true", "unset", "wait"}
_FILTERS = {
    "awk",
    "cat",
    "column",
    "cut",
    "egrep",
    "fgrep",
    "grep",
    "head",
    "jq",
    "sed",
    "sort",
    "tail",
    "tr",
    "uniq",
    "wc",
}

HARMLESS = frozenset(_BUILTINS | _FILTERS)
"""Parts of the language, and filters of text: beside a faked program they may run for real."""

_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac", "!", "{", "}", "time"}
)
_FORWARDING = frozenset({"command", "env", "exec", "nice", "nohup", "timeout", "xargs"})
"""Programs that run the program that follows their options."""

_PUNCTUATION = "();<>|&`"
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_OPTION = re.compile(r"-.*|[A-Za-z_]\w*=.*|\d+(\.\d+)?[smhd]?")
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")


class UnreadableError(Exception):
    """What the command line calls cannot be told."""


def script_of(argv: list[str]) -> str | None:
    """Return the command line that a call of a shell runs; None for any other call, also of a script in a file."""
    if not argv or argv[0].rpartition("/")[2] not in SHELLS:
        return None
    for index, argument in enumerate(argv[1:], start=1):
        if re.fullmatch(r"-[a-z]*c[a-z]*", argument):
            return argv[index + 1] if index + 1 < len(argv) else None
        if not argument.startswith("-"):
            return None
    return None


def programs_of(script: str) -> list[str]:
    """Name the programs that a command line calls, in order; builtins and filters of text are among them.

    Raises:
        UnreadableError: It cannot be told.
    """
    return list(_programs(script))


def _programs(script: str) -> Iterator[str]:
    expecting, forwarding, redirecting = True, False, False
    for token in _tokens(script):
        if set(token) <= set(_PUNCTUATION):
            redirecting = not set(token) & set("(;|`") and bool(set(token) & set("<>"))
            expecting = expecting if redirecting else True
            continue
        yield from _substituted(token)
        if redirecting:
            redirecting = False
        elif expecting and not _ASSIGNMENT.match(token) and token not in _KEYWORDS:
            if forwarding and _OPTION.fullmatch(token):
                continue
            forwarding = token in _FORWARDING
            expecting = forwarding
            if not forwarding:
                yield token


def _tokens(script: str) -> Iterator[str]:
    # A line's end separates commands as a semicolon does, unless it is escaped.
    text = script.replace("\\\n", " ").replace("\n", ";")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        yield from lexer
    except ValueError as error:
        raise UnreadableError(str(error)) from error


def _substituted(token: str) -> Iterator[str]:
    """Name the programs called by substitutions within quotes, which the lexer leaves in one token."""
    if "$(" not in token and "`" not in token:
        return
    if _SUBSTITUTION.sub("", token).count("$(") or "`" in _SUBSTITUTION.sub("", token):
        raise UnreadableError("nested command substitutions")
    for found in _SUBSTITUTION.finditer(token):
        yield from _programs(found.group(1) or found.group(2) or "")
