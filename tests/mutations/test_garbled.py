"""Files with broken bytes: never a traceback, whatever the format of the report, and never clean where ADK refuses."""

import json

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from evalkit.check import check
from evalkit.findings import RENDERERS, render
from evalkit.fixing import fix
from evalkit.formats import config as config_format, evalset as evalset_format, mocks as mocks_format
from evalkit.formats.files import has_errors
from evalkit.mocks.backend import Backend

many = settings(settings.get_profile("mutations"))


@many
@given(data=st.data())
def test_a_garbled_evalset_is_clean_only_if_adk_takes_it(data, garbled, good, reads):
    content = data.draw(garbled(json.dumps(good["evalset"], indent=1).encode()))
    clean = not has_errors(evalset_format.parse(content, file="f").problems)
    assert not clean or reads.evalset(content)


@many
@given(data=st.data())
def test_a_garbled_config_is_clean_only_if_adk_takes_it(data, garbled, good, reads):
    content = data.draw(garbled(json.dumps(good["config"], indent=1).encode()))
    clean = not has_errors(config_format.parse(content, file="f").problems)
    assert not clean or reads.config(content)


@many
@given(data=st.data())
def test_a_garbled_mocks_file_is_clean_only_if_it_answers(data, garbled, good, tmp_path):
    written = data.draw(st.sampled_from([json.dumps(good["mocks"], indent=1), yaml.safe_dump(good["mocks"])]))
    path = tmp_path / data.draw(st.sampled_from(["mocks.yaml", "mocks.json"]))
    path.write_bytes(data.draw(garbled(written.encode())))
    loaded = mocks_format.read(path)
    assert (loaded.value is None) == has_errors(loaded.problems)
    assert loaded.value is None or answers(loaded.value)


@many
@given(data=st.data())
def test_a_broken_mocks_file_is_clean_only_if_it_answers(data, mutated, good, tmp_path):
    value = data.draw(mutated(good["mocks"]))
    name, text = data.draw(st.sampled_from([("mocks.json", json.dumps(value)), ("mocks.yaml", yaml.safe_dump(value))]))
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    loaded = mocks_format.read(path)
    assert (loaded.value is None) == has_errors(loaded.problems)
    assert loaded.value is None or answers(loaded.value)


def answers(mocks):
    """Ask every route, twice, with arguments that fit and with none."""
    backend = Backend(None, mocks, ())
    for route in mocks.routes:
        for args in ({"x": "a", "y": [1, 2]}, {}, {}):
            assert backend.answer(route.agent or "a", route.tool, args, 0) is not None
    return True


@many
@given(data=st.data())
@pytest.mark.parametrize("name", ["lag.evalset.json", "lag.test.json", "test_config.json", "mocks.yaml", "cases.json"])
def test_no_garbled_file_stops_a_check_a_report_or_a_fix(name, data, garbled, good, tmp_path):
    value = good[data.draw(st.sampled_from([*good]))]
    path = tmp_path / name
    path.write_bytes(data.draw(garbled(json.dumps(value, indent=data.draw(st.sampled_from([None, 1]))).encode())))
    report = check([path])
    assert str(path) in report.files
    assert all(render(renderer, report).encode() is not None for renderer in RENDERERS)
    for file in fix([path]):
        assert file.diff().encode()
        assert file.after != file.before
