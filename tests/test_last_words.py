"""What is made of the last output of a process that is gone."""

import subprocess
import sys
import sysconfig

import pytest

from evalkit.last_words import LastWords, last_words

STDLIB = sysconfig.get_path("stdlib")
LIBRARIES = sysconfig.get_path("purelib")


def test_who_said_nothing_has_no_last_words():
    assert last_words("") == LastWords("", None)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("one\n", "one"),
        ("one\n\n  two  \n", "one | two"),
        ("1\n2\n3\n4\n5\n", "2 | 3 | 4 | 5"),
        ("\x1b[31mred\x1b[0m\a and\tplain\r\n", "red and\tplain"),
        ("no end of line", "no end of line"),
    ],
)
def test_the_last_lines_become_one(written, text):
    assert last_words(written) == LastWords(text, None)


def dump(*frames, thread="Current thread"):
    lines = [f'  File "{file}", line {line} in {name}' for file, line, name in frames]
    return "\n".join([f"{thread} 0x00007f11 (most recent call first):", *lines, ""])


@pytest.mark.parametrize(
    ("frames", "where"),
    [
        ([("/agents/kafka/agent.py", 12, "get_lag")], "/agents/kafka/agent.py:12 in get_lag"),
        (
            [("/a b/agent.py", 3, "<module>"), ("<frozen importlib._bootstrap>", 241, "_call")],
            "/a b/agent.py:3 in <module>",
        ),
        (
            [
                (f"{STDLIB}/ssl.py", 1, "read"),
                (f"{LIBRARIES}/httpx/_client.py", 2, "get"),
                ("/agents/kafka/tools.py", 3, "ask"),
                ("/agents/kafka/agent.py", 4, "get_lag"),
            ],
            "/agents/kafka/tools.py:3 in ask",
        ),
        ([(f"{STDLIB}/selectors.py", 468, "select")], None),
        ([], None),
    ],
)
def test_a_dump_says_where_in_the_users_code_it_was(frames, where):
    assert last_words("before\n" + dump(*frames)) == LastWords("before", where)


def test_the_thread_that_crashed_comes_before_the_others():
    other = dump(("/agents/other.py", 1, "watch"), thread="Thread")
    crashed = dump(("/agents/kafka/agent.py", 2, "get_lag"))

    assert last_words(other + "\n" + crashed).where == "/agents/kafka/agent.py:2 in get_lag"


def test_another_thread_is_better_than_none():
    other = dump(("/agents/other.py", 1, "watch"), thread="Thread")
    crashed = dump((f"{STDLIB}/selectors.py", 468, "select"))

    assert last_words(crashed + "\n" + other).where == "/agents/other.py:1 in watch"


def test_a_real_crash_is_read(tmp_path):
    program = tmp_path / "crash.py"
    program.write_text(
        "import ctypes\n\ndef crash():\n    print('so long', flush=True)\n    ctypes.string_at(0)\n\ncrash()\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )

    assert last_words(done.stdout) == LastWords("so long", f"{program}:5 in crash")
