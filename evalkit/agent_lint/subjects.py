"""Prompts that sit between two tools: they name the subject of one, and the expectation wants its twin.

Twins are two tools of one agent whose names differ in a single word behind the verb, such as get_prometheus_alerts and
get_alertmanager_alerts. Where they have nothing but the verb in common, as query_prometheus and query_loki, only a
proper name in the prompt counts, because `get_time` and "this time" are not about the same.
"""

import re
from collections.abc import Iterator

from evalkit.agent_lint import words
from evalkit.agent_lint.problems import leaves, problem
from evalkit.agent_lint.scene import OwnedCall, OwnedTurn, Scene
from evalkit.errors import Problem
from evalkit.models.tree import CONTROL_TOOLS

_PLAIN_WORD = re.compile(r"(?<![\w./:@-])[A-Za-z]+(?:'s)?(?![\w/:@-]|\.\w)")
_COMMON = "all count data detail full history id info item list name new one result status time type value"
_GENERAL = frozenset(_COMMON.split())
"""Words that are no subject: prompts have them for other reasons."""

_FEWEST_WORDS = 2
_SHORTEST_BEGINNING = 4


def prompts_between_tools(scene: Scene) -> Iterator[Problem]:
    """Report prompts that name a twin's own word, and not that of the tool which is expected."""
    said_before = ""
    for owned_turn in scene.turns:
        prompt = owned_turn.turn.user.text
        said_before = f"{said_before}\n{prompt}"
        expected = {owned.call.name for owned in owned_turn.calls} | _accepted(owned_turn)
        for owned in {owned.call.name: owned for owned in owned_turn.calls}.values():
            found = _twin_named(scene, owned, prompt, said_before, expected)
            if found:
                yield _problem(scene, owned_turn, owned, *found)


def _accepted(owned_turn: OwnedTurn) -> set[str]:
    rule = owned_turn.turn.expect.trajectory
    patterns = (*rule.optional, *(call for path in rule.any_of for call in path)) if rule else ()
    return {call.name for call in patterns}


def _twin_named(
    scene: Scene, owned: OwnedCall, prompt: str, said: str, expected: set[str]
) -> tuple[str, str, str] | None:
    """Return a twin that the prompt names, its word, and the word of the tool that is meant."""
    name = owned.call.name
    others = scene.facts.tree.get(owned.owner).tools if owned.owner and name not in CONTROL_TOOLS else ()
    for other in others:
        pair = None if other in expected else _difference(name, other)
        if pair is None:
            continue
        own, twins, only_verb = pair
        mentioned = _mentioned(prompt, twins, proper=only_verb)
        if mentioned and not _is_said(own, said) and words.stem(twins) not in _of_arguments(scene, owned):
            return other, mentioned, own
    return None


def _is_said(word: str, text: str) -> bool:
    """Tell whether a text has a word, also in another form: `silenced` for silences."""
    beginning = words.stem(word)[: max(_SHORTEST_BEGINNING, len(word) - 3)]
    return any(one.startswith(beginning) for one in words.stems(text))


def _of_arguments(scene: Scene, owned: OwnedCall) -> frozenset[str]:
    """Return the words of the arguments of the expected tool: a prompt says them to state an argument."""
    names = [name for tool in scene.tools(owned) if tool.declaration for name in tool.declaration.parameters]
    values = [value for _, value in leaves(dict(owned.call.args)) if isinstance(value, str)]
    return words.stems(" ".join((*names, *values)))


def _difference(name: str, other: str) -> tuple[str, str, bool] | None:
    """Return the words in which two twins differ, and whether the verb is all that they share."""
    one, two = words.parts(name), words.parts(other)
    if len(one) != len(two) or len(one) < _FEWEST_WORDS or one[0] != two[0]:
        return None
    differing = [(a, b) for a, b in zip(one, two, strict=True) if words.stem(a) != words.stem(b)]
    if len(differing) != 1 or {*differing[0]} & _GENERAL:
        return None
    return *differing[0], len(one) == _FEWEST_WORDS


def _mentioned(prompt: str, word: str, *, proper: bool) -> str | None:
    """Return a word of the prompt as it stands there; one that is part of an identifier does not count.

    Args:
        prompt: What the user says.
        word: The word to look for, in singular or plural.
        proper: Whether it must be written as a name is: with a capital, and not because a sentence begins.
    """
    for found in _PLAIN_WORD.finditer(prompt):
        as_written = found[0].removesuffix("'s")
        begins = not prompt[: found.start()].rstrip() or prompt[: found.start()].rstrip()[-1] in ".!?:\n"
        if words.stem(as_written.lower()) == words.stem(word) and (
            not proper or (as_written[0].isupper() and not begins)
        ):
            return as_written
    return None


def _problem(scene: Scene, owned_turn: OwnedTurn, owned: OwnedCall, other: str, word: str, own: str) -> Problem:
    message = (
        f'the prompt says "{word}", the subject of `{other}`, and nothing of `{owned.call.name}`, which is expected;'
        " a model may well call the other"
    )
    hint = f'say "{own}" in the prompt instead of "{word}", or expect `{other}`'
    return problem("prompt-between-tools", scene.file, f"{owned_turn.turn.where}.user_content", message, hint)
