"""All real fixtures at once: each converts, loads in ADK, passes `check`, answers what it recorded, hides its gold."""

import json
from collections import Counter

import pytest
import yaml
from google.adk.evaluation.eval_set import EvalSet

from evalkit.adapters.holmes.conversion import convert
from evalkit.adapters.holmes.nouns import Options
from evalkit.adapters.holmes.replies import as_text
from evalkit.check import check
from evalkit.formats import mocks as mocks_format
from evalkit.formats.files import has_errors
from evalkit.formats.holmes_recording import parse_recording
from evalkit.mocks import Backend, Returned

BESIDE = ("error", "return_code", "url", "invocation", "params")


@pytest.fixture(scope="session")
def census(shared):
    """What is known of each fixture, by suite and name."""
    cases = json.loads((shared / "facts" / "holmes_census.json").read_text(encoding="utf-8"))["cases"]
    return {f"{case['suite']}/{case['id']}": case for case in cases}


def recordings_of(folder):
    files = sorted(folder.glob("*.txt"))
    loaded = [parse_recording(file.read_bytes(), file.name).value for file in files]
    return [one for one in loaded if one]


def test_every_fixture_converts(converted, corpus):
    folders = [path.parent for path in corpus.glob("*/*/test_case.yaml")]
    assert len(folders) > 100
    assert {outcome.path for outcome in converted.done.outcomes} >= {
        folder.relative_to(corpus).as_posix() for folder in folders
    }
    assert not converted.done.failed


def test_every_evalset_loads_in_adk(converted):
    sets = [EvalSet.model_validate_json(file.read_bytes()) for file in converted.folder.rglob("*.evalset.json")]
    turns = [turn for one in sets for case in one.eval_cases for turn in case.conversation]
    assert len(turns) == sum(case.get("evalset") is not None for case in converted.ledger["cases"])
    assert {(turn.final_response, turn.intermediate_data) for turn in turns} == {(None, None)}


def test_check_finds_no_errors(converted):
    found = check([converted.folder])
    assert [str(problem) for problem in found.problems if problem.severity == "error"] == []


def test_cases_are_what_the_census_says(converted, census):
    for outcome in converted.done.outcomes:
        known = census[outcome.path]
        if outcome.suite == "test_ask_holmes":
            assert list(outcome.eval_ids) == known["variant_ids"]
        gold = converted.gold(outcome.path, outcome.eval_ids[0])
        said = (gold["mode"], len(gold["expected"]), gold["include_tool_calls"])
        assert said == (known["eval_type"].split()[0], known["expected_count"], known["include_tool_calls"])


def test_notes_are_what_the_census_says(converted, corpus, census):
    for outcome in converted.done.outcomes:
        known = census[outcome.path]
        has = Counter(note.code for note in outcome.notes)
        assert bool(has["TOOLSETS"]) == bool(known["toolsets_yaml"])
        assert bool(has["SKIPPED_UPSTREAM"]) == known["skip"]
        assert bool(has["KNOWN_FAILING"]) == (known["expected_score"] == 0)
        assert bool(has["LIVE_SETUP"]) == (known["has_before"] or known["has_after"])
        if len(recordings_of(corpus / outcome.path)) == known["n_mocks"]:  # else some are not in the shared folder
            differing = sum(not pair["same_result"] for pair in known["ambiguous_pairs"])
            out_of_reach = [file for file, why in known["dead_at_head"].items() if why != "literal-star"]
            assert (has["STAR_WILDCARD"], has["NULL_PARAM"]) == (
                len(known["star_mocks"]),
                len(known["null_param_mocks"]),
            )
            assert (has["AMBIGUOUS"], has["STALE_TOOL"]) == (differing, len(out_of_reach))


def test_every_recorded_call_is_answered_by_its_recording_or_the_reported_winner(converted, corpus):
    asked = 0
    for outcome in converted.done.outcomes:
        shadowed = {note.file: note.message for note in outcome.notes if note.code == "SHADOWED"}
        recordings = recordings_of(corpus / outcome.path)
        for recording in recordings if outcome.suite != "compaction" else ():
            answer = converted.ask(outcome.path, recording.tool, **(recording.match or {}))
            winners = [one for one in recordings if one.file in shadowed.get(recording.file, "")]
            assert answer in [_reply(one) for one in (recording, *winners)]
            asked += recording.file not in shadowed and answer == _reply(recording)
    assert asked > 190


def _reply(recording):
    beside = {key: getattr(recording, key) for key in BESIDE if getattr(recording, key) is not None}
    return {"status": recording.status, "data": recording.data, **beside}


def test_every_recording_can_be_called_as_its_tool_is_declared(converted):
    for file in converted.folder.rglob("mocks.yaml"):
        mocks = mocks_format.read(file).value
        assert {route.tool for route in mocks.routes} == {tool.name for tool in mocks.provides}


def test_an_expected_text_is_in_no_file_but_the_gold_unless_the_fixture_itself_has_it_elsewhere(converted, corpus):
    for file in converted.folder.rglob("gold.json"):
        texts = {text for gold in json.loads(file.read_bytes())["cases"].values() for text in _texts(gold)}
        path = file.parent.relative_to(converted.folder).as_posix()
        source = "\n".join(_source_texts(corpus / path))
        for other in file.parent.rglob("*"):
            if other.is_file() and other != file:
                written = other.read_text(encoding="utf-8", errors="replace")
                assert [text for text in texts if _stands_in(text, written) and text not in source] == []
    everything = json.dumps(converted.ledger, ensure_ascii=False)
    assert "default-deny-egress" not in everything


def _texts(gold):
    inside = [text for wanted in gold["sections"].values() for text in wanted or ()]
    return [text.strip() for text in (*gold["expected"], *inside)]


def _stands_in(text, written):
    return text in written or json.dumps(text, ensure_ascii=False)[1:-1] in written


def _source_texts(folder):
    """What a fixture says elsewhere: in its other files, and in the case above and below what is expected."""
    for file in folder.rglob("*"):
        if file.is_file() and file.name != "test_case.yaml":
            yield file.read_text(encoding="utf-8", errors="replace")
    case = yaml.safe_load((folder / "test_case.yaml").read_text(encoding="utf-8"))
    yield json.dumps({key: value for key, value in case.items() if not key.startswith("expected")}, ensure_ascii=False)


def test_converting_twice_changes_no_byte_and_no_time(converted, corpus):
    def state():
        files = [path for path in converted.folder.rglob("*") if path.is_file()]
        return {path: (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes()) for path in files}

    before = state()
    convert(corpus, converted.folder, Options())
    assert state() == before


def test_other_readings_of_all_fixtures_pass_check_too(corpus, tmp_path):
    everything = Options(
        literal_star=True,
        null_matches_absent=True,
        response="holmes-text",
        profile="self-answer",
        inline_gold=True,
        expect_recorded=True,
        joined_answer=True,
    )
    done = convert(corpus, tmp_path / "out", everything)
    assert not done.failed
    assert not has_errors(check([tmp_path / "out"]).problems)
    for file in (tmp_path / "out").rglob("*.evalset.json"):
        EvalSet.model_validate_json(file.read_bytes())


def test_a_reply_as_text_survives_being_written_whatever_is_in_it(corpus, tmp_path):
    convert(corpus, tmp_path / "out", Options(response="holmes-text"))
    for folder in sorted(corpus.glob("test_ask_holmes/*")):
        recordings = recordings_of(folder)
        if not recordings:
            continue
        mocks = mocks_format.read(tmp_path / "out" / "test_ask_holmes" / folder.name / "mocks.yaml").value
        for recording in recordings:
            answer = Backend(None, mocks, ()).answer("agent", recording.tool, recording.match or {}, 0)
            assert isinstance(answer, Returned)
            assert answer.value in [as_text(one) for one in recordings if one.tool == recording.tool]
