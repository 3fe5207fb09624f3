"""What `--fix` makes of broken files: nothing that ADK takes is refused or means something else afterwards.

A key that is given its right name has an effect that it had not, which is what the user meant; a call without arguments
gets empty ones. Everything else reads as before.
"""

import json
import re

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from evalkit.check import check
from evalkit.fixing import fix
from evalkit.formats.files import has_errors

many = settings(settings.get_profile("mutations"))

RENAMES = {"misspelt-key", "unknown-key", "unread-key"}
"""Rules whose fix makes ADK read a key that it passed over."""


@st.composite
def _written(draw, value):
    """A value as JSON in one of the ways in which people write it, sometimes with what a machine can mend."""
    indent, colon = draw(st.sampled_from([None, 1, 2, 4, "\t"])), draw(st.sampled_from([":", ": "]))
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=indent, separators=(",", colon))
    spoilt = draw(st.sampled_from(["", "", "", "mark", "commas", "words"]))
    if spoilt == "commas":
        text = re.sub(r"(?<=[\d\"}\]])(?=\s*[}\]])", ",", text, count=draw(st.integers(1, 99)))
    elif spoilt == "words":
        text = text.replace("true", "True").replace("null", "None")
    elif spoilt == "mark":
        text = f"\ufeff{text}"
    text += draw(st.sampled_from(["", "\n"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@pytest.fixture
def mended(tmp_path):
    """Write a file, mend it, and return its path, the report before, and its text afterwards."""

    def mend(name, text):
        path = tmp_path / name
        path.write_bytes(text.encode())
        before = check([path])
        for file in fix([path]):
            file.write()
        return path, before, path.read_bytes().decode()

    return mend


@many
@given(data=st.data())
@pytest.mark.parametrize("name", ["lag.evalset.json", "test_config.json"])
def test_what_adk_takes_is_taken_and_read_the_same(name, data, mutated, good, reads, mended):
    value, reader = (good["config"], reads.config) if "config" in name else (good["evalset"], reads.evalset)
    text = data.draw(_written(data.draw(mutated(value))))
    read = reader(text)
    path, report, after = mended(name, text)
    now = reader(after)
    assert now is not None or read is None
    assert now is not None or has_errors(check([path]).problems)
    if read is not None and not RENAMES & {problem.rule for problem in report.problems if problem.fixes}:
        assert dumped(now) == dumped(read)


@many
@given(data=st.data())
def test_an_old_list_that_a_reader_takes_becomes_what_that_one_made_of_it(data, mutated, good, reads, mended):
    text = data.draw(_written(data.draw(mutated(good["wrapped_list"]) | mutated(good["flat_list"]))))
    path, report, after = mended("lag.test.json", text)
    now = reads.evalset(after) or reads.list(path)
    path.write_bytes(text.encode())
    read = reads.list(path)
    assert now is not None or read is None
    if read is not None and not RENAMES & {problem.rule for problem in report.problems if problem.fixes}:
        assert told(now) == told(read)


@many
@given(data=st.data())
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("evalset", "lag.evalset.json"),
        ("wrapped_list", "lag.evalset.json"),
        ("flat_list", "lag.test.json"),
        ("config", "test_config.json"),
        ("mocks", "mocks.json"),
        ("mocks", "mocks.yaml"),
    ],
)
def test_mending_twice_is_mending_once_and_what_is_promised_is_done(kind, name, data, mutated, good, mended):
    text = data.draw(_written(data.draw(mutated(good[kind]))))
    path, report, after = mended(name, text)
    assert after != text or report.fixable == 0
    assert after == text or any(problem.fixes for problem in report.problems)
    assert [*fix([path])] == []
    assert check([path]).fixable == 0


@many
@given(data=st.data())
def test_of_yaml_keys_alone_are_mended(data, mutated, good, mended):
    flow = data.draw(st.sampled_from([None, True, False]))
    text = yaml.safe_dump(data.draw(mutated(good["mocks"])), default_flow_style=flow, sort_keys=False)
    _, report, after = mended("mocks.yaml", text)
    assert after != text or report.fixable == 0
    assert leaves(yaml.safe_load(after)) == leaves(yaml.safe_load(text))


def leaves(value):
    """Every scalar in a value, in order."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return [value] if inner is None else [leaf for item in inner for leaf in leaves(item)]


@many
@given(data=st.data())
def test_line_ends_and_the_last_of_them_stay(data, mutated, good, mended):
    text = data.draw(_written(data.draw(mutated(good["evalset"]) | mutated(good["flat_list"]))))
    _, _, after = mended("lag.test.json", text)
    assert after.endswith("\n") == text.endswith("\n")
    if "\n" in text:
        assert ("\r\n" in after) == ("\r\n" in text)
    assert not re.search(r"(?<!\r)\n", after) or "\r\n" not in text


def dumped(model):
    """What ADK read, with empty arguments where there were none."""
    return with_arguments(model.model_dump(mode="json"))


def told(eval_set):
    """What an evalset says, without the ids, names and times that ADK's readers of lists make up."""
    keys = ("user_content", "final_response", "intermediate_data")
    return [
        ([{key: turn[key] for key in keys} for turn in case["conversation"]], case["session_input"])
        for case in dumped(eval_set)["eval_cases"]
    ]


def with_arguments(value):
    if isinstance(value, dict):
        inner = {key: with_arguments(item) for key, item in value.items()}
        return {**inner, "args": inner["args"] or {}} if "args" in inner else inner
    return [with_arguments(item) for item in value] if isinstance(value, list) else value
