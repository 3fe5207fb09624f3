"""Which key was meant: other spellings of it, typing errors, and the names that people bring from other formats."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from evalkit.formats.likeness import is_slip, likeness, opposed

_BROUGHT: Mapping[str, str] = {
    "eval_set_id": "evalsetid set_id dataset_id suite_id",
    "eval_cases": "cases test_cases tests evals examples scenarios",
    "eval_id": "eval_case_id case_id test_id test_case_id test_name id name",
    "conversation": "turns messages invocations dialogue dialog data",
    "user_content conversation query": "query prompt question request user_input user_message user_query user message "
    "input",
    "final_response": "reference expected_response expected_output expected_answer expected_final_response answer "
    "reference_final_response response output golden_answer ground_truth expected",
    "tool_uses intermediate_data": "expected_tool_use expected_tool_uses expected_tool_calls expected_tools "
    "tool_calls tools tool_use tool_trajectory reference_trajectory expected_trajectory function_calls",
    "intermediate_responses": "expected_intermediate_agent_responses",
    "session_input initial_session": "initial_session session session_input session_inputs initial_state session_state",
    "tool_name": "name tool function function_name func",
    "tool_input": "args tool_inputs arguments parameters params input inputs tool_args",
    "data": "conversation turns messages",
    "state": "initial_state session_state",
    "final_session_state": "expected_state final_state expected_session_state",
    "app_name": "app agent agent_name appname",
    "user_id": "user userid",
    "name": "tool_name tool function function_name func path function_path",
    "type": "error exception error_type exception_type",
    "args": "tool_input tool_inputs arguments parameters params input inputs tool_args kwargs",
    "response": "tool_response tool_output result output content",
    "text": "content message value",
    "text_property": "text property content criteria criterion description",
    "rubric_content": "content rubric text text_property criteria criterion",
    "rubric_id": "id name",
    "file_data": "file_path file_uri file path",
    "criteria": "criterion metrics evaluation_criteria thresholds metrics_to_run evaluation_metrics metric_configs "
    "eval_metrics metric_thresholds",
    "threshold": "min_score score value pass_threshold minimum min",
    "judge_model_options": "judge_model judge model judge_options",
    "judge_model": "model model_name judge name",
    "parts": "content contents text message",
    "returns": "return response result reply output value",
    "returns_file": "return_file response_file file",
    "raises": "raise error exception throws",
    "sequence": "replies responses sequences",
    "any_of": "anyof alternatives either",
    "forbid": "forbidden deny not_allowed",
    "not_contains": "excludes must_not_contain",
    "user_prompt": "prompt question query user_input input ask",
    "expected_output": "expected expected_answer answer expected_outputs output reference",
    "before_test": "before setup set_up before_all",
    "after_test": "after teardown cleanup tear_down after_all",
    "test_env_vars": "env env_vars environment",
    "contains": "includes must_contain",
    "tool_calls": "calls max_calls max_tool_calls",
    "seconds": "max_seconds duration_seconds timeout_seconds",
    "tokens": "max_tokens total_tokens",
    "usd": "max_usd cost_usd dollars",
}
"""Keys of ours, and what people write for them; several keys where the place decides, the first that it has counts."""

_SHAPES: Mapping[str, str] = {
    "user_content": '{"role": "user", "parts": [{"text": "…"}]}',
    "final_response": '{"role": "model", "parts": [{"text": "…"}]}',
    "intermediate_data": '{"tool_uses": [{"name": "…", "args": {}}]}',
    "session_input": '{"app_name": "…", "user_id": "…", "state": {}}',
    "file_data": '{"file_uri": "…", "mime_type": "…"}',
    "judge_model_options": '{"judge_model": "…"}',
    "rubric_content": '{"text_property": "…"}',
    "parts": '[{"text": "…"}]',
    "conversation": '[{"user_content": {"role": "user", "parts": [{"text": "…"}]}}]',
}
"""What the value of a key looks like, where giving the key another name is not enough."""

_ELSEWHERE: Mapping[str, str] = {
    "expected_intermediate_agent_responses": '"intermediate_data": '
    '{"intermediate_responses": [["agent", [{"text": "…"}]]]}',
    "expected_response_contains": '"evalkit": {"expect": [{"response": {"contains": ["…"]}}]} in the case',
    "expected_response_not_contains": '"evalkit": {"expect": [{"response": {"not_contains": ["…"]}}]} in the case',
    "expected_behavior": '"rubrics": [{"rubric_id": "…", "rubric_content": {"text_property": "…"}}]',
    "tool_uses": '"intermediate_data": {"tool_uses": […]}',
    "tool_responses": '"intermediate_data": {"tool_responses": […]}',
    "intermediate_responses": '"intermediate_data": {"intermediate_responses": […]}',
    "rubrics": 'them into the criterion that is for them: "rubric_based_final_response_quality_v1": '
    '{"threshold": …, "rubrics": [{"rubric_id": "…", "rubric_content": {"text_property": "…"}}]}',
    "judge_model": 'it into a criterion that a model judges: "judge_model_options": {"judge_model": "…"}',
    "judge_model_options": "it into a criterion that a model judges",
    "num_samples": 'it into a criterion that a model judges: "judge_model_options": {"num_samples": …}',
    "custom_metric_functions": '"custom_metrics": {"my_metric": {"code_config": {"name": "my_package.my_metric"}}}',
    "sub_agent_uses": 'a transfer as a call: {"name": "transfer_to_agent", "args": {"agent_name": "…"}}',
    "expected_agent": '"evalkit": {"expect": [{"route": ["…"]}]} in the case',
}
"""What people expect of a turn and ADK has no key for."""

_IGNORED_CASE = 'write "regex": "(?i)…", which finds a text whatever its case'
_OTHERWISE: Mapping[tuple[str, str], str] = {
    **dict.fromkeys(
        ((name, "regex") for name in ("icontains", "iregex", "iequals", "ignore_case", "case_insensitive")),
        _IGNORED_CASE,
    ),
    ("case_sensitive", "regex"): 'every rule is; write "regex": "(?i)…" for a text whatever its case',
}
"""What is said by another key that an object has: by the key that people write, and the one that must be known."""

_LONGEST = 100
"""Characters of a word that may be a mistyped key; comparing takes their number times itself."""
_CUTOFF = 0.75
"""How alike two words must be for one to be a mistyped other, from 0 to 1."""
_CLEARLY = 0.1
"""The difference of likeness by which the nearer of two words is the one that was meant."""


class Meant(NamedTuple):
    """What was meant by a wrong key.

    Attributes:
        key: The key that was meant, None if nothing is near.
        hint: What to write instead.
        respelled: Whether the two are surely the same name, spelled in another way or mistyped.
        brought: Whether it is a name that people bring from elsewhere for the same, whose value may have another shape.
            Without either, the names are only alike, and the wrong one may say something else.
    """

    key: str | None
    hint: str | None
    respelled: bool = False
    brought: bool = False


def instead(wrong: str, known: Collection[str]) -> Meant:
    """Find the key that was meant by a wrong one.

    Args:
        wrong: The key as it was written.
        known: The keys that its object can have.
    """
    plain = squeeze(wrong)
    for right in known:
        if squeeze(right) == plain:
            return Meant(right, f"write `{right}`", respelled=True)
    otherwise = next(
        (hint for (name, key), hint in _OTHERWISE.items() if squeeze(name) == plain and key in known), None
    )
    if otherwise:
        return Meant(None, otherwise)
    near = _near(wrong, known)
    sure = bool(near) and [name for name in near if is_slip(wrong, name)] == near[:1]
    brought = next((right for right in _meant().get(plain, ()) if right in known), None)
    if brought and brought in _SHAPES and not (sure and near[0] == brought):
        return Meant(brought, f'write "{brought}": {_SHAPES[brought]}', brought=True)
    if brought and brought not in _SHAPES:
        return Meant(brought, f"write `{brought}`", respelled=sure and near[0] == brought, brought=True)
    if near:
        return Meant(near[0], f"did you mean {' or '.join(f'`{key}`' for key in near)}?", respelled=sure)
    return Meant(None, _elsewhere(wrong))


def closest(word: str, known: Iterable[str]) -> str | None:
    """Find the word that was probably mistyped."""
    near = _near(word, known)
    return near[0] if near else None


def only(word: str, known: Iterable[str]) -> str | None:
    """Find the word that was probably mistyped, if there is just one that it can be."""
    near = _near(word, known)
    return near[0] if len(near) == 1 else None


def _near(word: str, known: Iterable[str]) -> list[str]:
    """The words that a mistyped one can be, the nearest first; those that are clearly less near are left out."""
    if len(word) > _LONGEST:
        return []
    import difflib  # only a file with a fault pays for it

    by_form: dict[str, str] = {}
    for name in known:
        by_form.setdefault(squeeze(name), name)  # of two spellings the first
    form = squeeze(word)
    found = difflib.get_close_matches(form, by_form, n=2, cutoff=_CUTOFF)
    if len(found) > 1 and likeness(form, found[0]) - likeness(form, found[1]) > _CLEARLY:
        found.pop()
    return [by_form[name] for name in found if not opposed(word, by_form[name])]


def squeeze(word: str) -> str:
    """Bring a word into the form in which `tool_uses`, `toolUses` and `Tool-Uses` are the same."""
    return re.sub(r"[-_ ]", "", word).lower()


@lru_cache(maxsize=1024)
def to_snake(name: str) -> str:
    """Write a camelCase name in snake_case; other names stay as they are."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name)


@lru_cache(maxsize=1024)
def to_camel(name: str) -> str:
    """Write a snake_case name in camelCase, as ADK's models do."""
    head, *tail = name.split("_")
    return head + "".join(part.title() for part in tail)


def either_spelling(value: Mapping[str, Any], key: str) -> Any:
    """The value of a key, given in snake_case, in either spelling; None if it is absent."""
    return value[key] if key in value else value.get(to_camel(key))


@lru_cache(maxsize=1)
def _meant() -> Mapping[str, list[str]]:
    meant: dict[str, list[str]] = {}
    for rights, wrongs in _BROUGHT.items():
        for wrong in wrongs.split():
            meant.setdefault(squeeze(wrong), []).extend(rights.split())
    return meant


def _elsewhere(wrong: str) -> str | None:
    place = _ELSEWHERE.get(wrong)
    return f"write {place}" if place else None
