"""What `--fix` writes: a file that ADK loads, that means what was meant, and that is otherwise the one it was."""

import json
import shutil
import stat
from pathlib import Path

import pytest
from google.adk.evaluation.eval_config import EvalConfig
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.local_eval_sets_manager import convert_eval_set_to_pydantic_schema
from hypothesis import HealthCheck, given, settings, strategies as st

from evalkit.check import check
from evalkit.fixing import fix

INVALID = Path(__file__).parent / "invalid"
many = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def mended(tmp_path, monkeypatch):
    """Write a file, mend it, and return its text."""
    monkeypatch.chdir(tmp_path)

    def mend(content, name="lag.evalset.json", **flags):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)
        path.write_bytes(text.encode())
        for file in fix([name], **flags):
            file.write()
        return path.read_bytes().decode()

    return mend


TURN = {
    "user_content": {"role": "user", "parts": [{"text": "How far behind is orders?"}]},
    "final_response": {"role": "model", "parts": [{"text": "75."}]},
    "intermediate_data": {
        "tool_uses": [{"name": "get_lag", "args": {"group": "orders"}}, {"name": "whoami", "args": {}}]
    },
}
CASE = {
    "eval_id": "lag",
    "conversation": [TURN, {**TURN, "rubrics": []}],
    "session_input": {"app_name": "kafka", "user_id": "u", "state": {"a": [True, None]}},
}
EVALSET = {"eval_set_id": "s", "eval_cases": [CASE, {**CASE, "eval_id": "other"}], "creation_timestamp": 1.5}

MISSPELT = json.dumps(
    {
        "eval_set_id": "s",
        "eval_cases": [{"eval_id": "a", "conversation": [TURN], "session_inputs": CASE["session_input"]}],
    }
)


def test_nothing_changes_but_what_is_mended(mended):
    text = """{"eval_set_id": "s",   "note_of_mine" : [1,2],
  "eval_cases": [ {
      "eval_id": "a", "conversation": [
        {"user_contents": {"parts": [ {"text": "h\\u00e9 é"} ] },
         "intermediate_data": {"tool_uses": [{"name":"f"}]}}] } ]
}"""
    expected = text.replace('"user_contents"', '"user_content"').replace('{"name":"f"}', '{"name":"f", "args": {}}')
    assert mended(text) == expected


def test_one_fix_lays_bare_the_next(mended):
    turn = {"querry": "Hi", "expected_tool_use": [{"tool_name": "f"}]}
    text = json.dumps([turn]).replace("]}]", "],}]")
    assert json.loads(mended(text, "lag.test.json"))["eval_cases"][0]["conversation"] == [
        {
            "user_content": {"role": "user", "parts": [{"text": "Hi"}]},
            "final_response": {"role": "model", "parts": [{"text": ""}]},
            "intermediate_data": {"tool_uses": [{"name": "f", "args": {}}]},
        }
    ]


def test_a_file_that_stays_unreadable_is_not_touched(mended):
    text = '\ufeff{"eval_set_id": "s", "eval_cases": [1,], oops}'
    assert mended(text) == text


def test_what_is_switched_off_stays(mended):
    assert mended(MISSPELT, ignored={"misspelt-key"}) == MISSPELT
    assert mended(MISSPELT) == MISSPELT.replace("session_inputs", "session_input")


def test_a_mocks_file_is_mended_too(mended):
    text = "tools:\n  get_lag:   # why\n    - arg: {group: orders}\n      return: {lag: 75}\n"
    assert mended(text, "mocks.yaml") == text.replace("arg:", "args:").replace("return:", "returns:")


def test_the_files_mode_and_the_link_to_it_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    real = tmp_path / "real.json"
    real.write_text(MISSPELT, encoding="utf-8")
    real.chmod(0o600)
    Path("lag.evalset.json").symlink_to(real)
    (file,) = fix(["lag.evalset.json"])
    file.write()
    assert Path("lag.evalset.json").is_symlink()
    assert real.read_text(encoding="utf-8") == MISSPELT.replace("session_inputs", "session_input")
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"real.json", "lag.evalset.json"}


def test_a_diff_can_be_applied(tmp_path, monkeypatch, mended):
    (tmp_path / "lag.evalset.json").write_text('{\n "evalSetId": "s",\n "evalCases": []\n}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (file,) = fix(["lag.evalset.json"])
    assert file.diff() == (
        "--- a/lag.evalset.json\n+++ b/lag.evalset.json\n@@ -1,4 +1,4 @@\n {\n"
        '- "evalSetId": "s",\n- "evalCases": []\n+ "eval_set_id": "s",\n+ "eval_cases": []\n }\n'
        "\\ No newline at end of file\n"
    )


def fixable():
    for beside in sorted(INVALID.rglob("*.problem.json")):
        target = beside.with_name(beside.name.removesuffix(".problem.json"))
        if target.is_file() and any(problem.fixes for problem in check([target]).problems):
            yield pytest.param(target, json.loads(beside.read_text(encoding="utf-8"))["rule"], id=target.name)


@pytest.mark.parametrize(("path", "rule"), [*fixable()])
def test_each_faulty_file_that_can_be_mended_is_clean_of_its_fault_and_loads(path, rule, tmp_path, monkeypatch):
    folder = shutil.copytree(path.parent, tmp_path / "copy") if "together" in path.parts else tmp_path
    shutil.copy(path, folder)
    monkeypatch.chdir(folder)
    for file in fix([path.name]):
        file.write()
    left = check([path.name]).problems
    assert rule not in {problem.rule for problem in left}
    assert not any(problem.fixes for problem in left)
    text = Path(path.name).read_text(encoding="utf-8")
    if path.name.endswith("test_config.json"):
        EvalConfig.model_validate_json(text)
    elif path.name.endswith((".evalset.json", ".test.json")):
        EvalSet.model_validate_json(text)


words = st.text(max_size=8)
arguments = st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.integers() | words, max_size=3)
old_turns = st.fixed_dictionaries(
    {"query": words},
    optional={
        "reference": words,
        "expected_tool_use": st.lists(
            st.fixed_dictionaries({"tool_name": words, "tool_input": st.none() | arguments}), max_size=3
        ),
        "expected_intermediate_agent_responses": st.lists(
            st.fixed_dictionaries({"author": words, "text": words}), max_size=2
        ),
    },
)
sessions = st.fixed_dictionaries({}, optional={"app_name": words, "user_id": words, "state": arguments})
old_cases = st.fixed_dictionaries(
    {"data": st.lists(old_turns, min_size=1, max_size=3)}, optional={"initial_session": sessions}
)


def told(eval_set):
    """What an evalset says, without ids and times; absent arguments are empty, as `--fix` writes them."""
    keys = ("user_content", "final_response", "intermediate_data")
    return [
        (
            [{key: with_arguments(turn[key]) for key in keys} for turn in case["conversation"] or ()],
            case["session_input"],
        )
        for case in eval_set.model_dump()["eval_cases"]
    ]


def with_arguments(value):
    if isinstance(value, dict):
        inner = {key: with_arguments(item) for key, item in value.items()}
        return {**inner, "args": inner["args"] or {}} if "args" in inner else inner
    return [with_arguments(item) for item in value] if isinstance(value, list | tuple) else value


@many
@given(value=st.lists(old_cases, min_size=1, max_size=3))
def test_a_wrapped_list_becomes_what_adk_makes_of_it(value, mended):
    named = [{"name": f"case {index}", **case} for index, case in enumerate(value)]
    fixed = EvalSet.model_validate_json(mended(named))
    assert told(fixed) == told(convert_eval_set_to_pydantic_schema("s", named))
    assert [case.eval_id for case in fixed.eval_cases] == [case["name"] for case in named]


@many
@given(value=st.lists(old_turns, min_size=1, max_size=3))
def test_a_flat_list_becomes_what_adk_makes_of_it(value, mended):
    fixed = EvalSet.model_validate_json(mended(value, "lag.test.json"))
    assert told(fixed) == told(convert_eval_set_to_pydantic_schema("s", [{"name": "x", "data": value}]))


def places(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def at(value, path):
    for step in path:
        value = value[step]
    return value


MISSPELLABLE = [
    *(("eval_cases", number, key) for number in (0, 1) for key in ("conversation", "session_input")),
    *(("eval_cases", number, "session_input", "app_name") for number in (0, 1)),
    *(("eval_cases", 0, "conversation", turn, key) for turn in (0, 1) for key in TURN),
    *(("eval_cases", 1, "conversation", turn, "intermediate_data", "tool_uses") for turn in (0, 1)),
    ("eval_cases",),
]


@st.composite
def damaged(draw):
    """A good evalset with some of what `--fix` mends broken in it, as text."""
    value = json.loads(json.dumps(EVALSET))
    for path in draw(st.lists(st.sampled_from(MISSPELLABLE), unique=True, max_size=4)):
        try:
            parent = at(value, path[:-1])
            item = parent.pop(path[-1])
        except KeyError:  # its parent was broken before
            continue
        kind = draw(st.sampled_from(["double a letter", "drop a letter", "hyphen"]))
        key, middle = path[-1], draw(st.integers(2, len(path[-1]) - 2))
        wrong = {
            "double a letter": key[:middle] + key[middle - 1 :],
            "drop a letter": key[:middle] + key[middle + 1 :],
            "hyphen": key.replace("_", "-") if "_" in key else f"{key}s",
        }
        parent[wrong[kind]] = item
    if draw(st.booleans()):
        for path in [path for path in places(value) if path[-1] == "args" and at(value, path) == {}]:
            del at(value, path[:-1])["args"]
    text = json.dumps(value, indent=draw(st.sampled_from([None, 1, 2, "\t"])))
    if draw(st.booleans()):
        text = text.replace('"eval_set_id"', '"evalSetId"').replace('"eval_cases"', '"evalCases"')
    if draw(st.booleans()):
        text = text.replace("true", "True").replace("null", "None")
    if draw(st.booleans()):
        text = text.replace("}", "},").replace("},,", "},").rstrip(",")
    return draw(st.sampled_from(["", "\ufeff"])) + text


@many
@given(text=damaged())
def test_what_is_broken_in_a_way_that_can_be_mended_is_mended(text, mended):
    assert EvalSet.model_validate_json(mended(text)) == EvalSet.model_validate(EVALSET)


@pytest.mark.parametrize(
    "text",
    [
        '{"criteria": {"response_match_score": 0.5}, "custom_metricss": "any_order"}',
        '{"criterias": {"response_match_score": "in order"}}',
    ],
)
def test_a_config_that_adk_takes_is_not_mended_into_one_that_it_refuses(text, mended):
    assert mended(text, "test_config.json") == text


def with_block(block):
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [TURN], "evalkit": block}]}


@pytest.mark.parametrize(
    "block",
    [
        *({"budget": {key: 5}} for key in ("min_tool_calls", "min_seconds", "min_tokens", "tokens_in", "tokens_out")),
        *({"response": {key: ["a"]}} for key in ("contains_any", "contains_one_of", "any_contains", "ncontains")),
        {"response": {"equals_any": ["a"]}},
    ],
)
def test_an_expectation_is_not_renamed_into_another(block, mended):
    text = json.dumps(with_block({"expect": [block]}))
    assert mended(text) == text


@pytest.mark.parametrize("block", [{"known_passing": "x"}, {"skip_if": "x"}])
def test_a_mark_of_a_case_is_not_renamed_into_another(block, mended):
    text = json.dumps(with_block(block))
    assert mended(text) == text


def test_a_key_of_mocks_or_a_config_that_says_something_else_is_not_renamed(mended):
    mocks = "tools:\n  get_lag:\n    - returns: 1\n      repeat_first: true\n"
    assert mended(mocks, "mocks.yaml") == mocks
    criteria = '{"criteria": {"response_match_score": {"max_threshold": 0.5}}}'
    assert mended(criteria, "test_config.json") == criteria


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"budget": {"second": 5}}, {"budget": {"seconds": 5}}),
        ({"budget": {"maxToolCalls": 5}}, {"budget": {"tool_calls": 5}}),
        ({"response": {"must_contain": ["a"]}}, {"response": {"contains": ["a"]}}),
        ({"response": {"not_contain": ["a"]}}, {"response": {"not_contains": ["a"]}}),
    ],
)
def test_an_expectation_that_is_only_mistyped_is_mended(wrong, right, mended):
    assert json.loads(mended(with_block({"expect": [wrong]}))) == with_block({"expect": [right]})


def test_hundreds_of_commas_too_many_are_mended(mended):
    turns = ["[1,]"] * 300
    assert mended(f'{{"eval_set_id": "s", "eval_cases": [], "x": [{",".join(turns)},],}}') == (
        f'{{"eval_set_id": "s", "eval_cases": [], "x": [{",".join(["[1]"] * 300)}]}}'
    )


def test_a_file_with_another_name_is_mended_as_what_it_holds(mended):
    assert mended('{"evalSetId": "s", "evalCases": [],}', "cases.jsonc") == '{"eval_set_id": "s", "eval_cases": []}'


@pytest.fixture(scope="module")
def real_files(shared):
    """The files of the corpus and the faulty ones of `invalid`, each as a name to be mended under and its text."""
    found = []
    for path in sorted([*(shared / "corpus").rglob("*.json"), *INVALID.rglob("*.json"), *INVALID.rglob("*.yaml")]):
        name = path.name if path.suffix == ".yaml" else "lag.test.json"
        data = path.read_bytes()
        if not path.name.endswith(".problem.json") and data.decode(errors="ignore").encode() == data:
            found.append(("test_config.json" if path.name.endswith("config.json") else name, data.decode()))
    return found


def read_by_adk(text, name):
    """What ADK makes of a text, if it takes it: an evalset, a config, or an old list by the reader that reads it."""
    try:
        if name == "test_config.json":
            return EvalConfig.model_validate_json(text)
        value = json.loads(text)
        if isinstance(value, dict):
            return EvalSet.model_validate_json(text)
        return convert_eval_set_to_pydantic_schema("s", value if "data" in value[0] else [{"name": "x", "data": value}])
    except Exception:  # noqa: BLE001 - its readers raise whatever a file makes them stumble over
        return None


def test_no_real_file_that_adk_takes_is_refused_or_read_differently_afterwards(real_files, mended):
    """What is mended is a key without effect, or arguments that are missing; of a list the turns are compared."""
    compared = 0
    for name, text in real_files:
        before, after = read_by_adk(text, name), read_by_adk(mended(text, name), name)
        if before is None:
            continue
        assert after is not None, text[:200]
        if isinstance(before, EvalSet) and "session_inputs" not in text:
            compared += 1
            assert repr(told(after)) == repr(told(before)), text[:200]  # as text, in which NaN equals NaN
    assert compared > 60


def test_every_real_file_is_mended_at_once_and_only_where_it_has_to_be(real_files, mended):
    changed = 0
    for name, text in real_files:
        for variant in {text, text.replace("\n", "\r\n")}:
            once = mended(variant, name)
            assert mended(once, name) == once
            assert once.count("\r\n") == (once.count("\n") if "\r\n" in variant else 0), variant[:200]
            assert once.endswith("\n") == variant.endswith("\n")
            changed += once != variant
    assert changed > 50


def test_a_byte_order_mark_and_the_evalset_that_is_missing_around_cases_are_mended_together(mended):
    text = json.dumps([{"eval_id": "a", "conversation": [TURN]}])
    assert mended(f"\ufeff{text}\n") == f'{{"eval_set_id": "lag", "eval_cases": {text}}}\n'


def test_in_yaml_a_byte_order_mark_stays_and_moves_nothing(tmp_path):
    path = tmp_path / "mocks.yaml"
    path.write_text('\ufeff{"tools": {"f": [{"returns": 1}]}, "agen": "a"}', encoding="utf-8")
    [fixed] = fix([path])
    assert fixed.after == '\ufeff{"tools": {"f": [{"returns": 1}]}, "agent": "a"}'
