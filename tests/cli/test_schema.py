"""The real command line, as a user types it."""

import json

import jsonschema
import pytest


@pytest.mark.parametrize("name", ["evalset", "config", "mocks", "holmes_case", "results"])
def test_a_schema_is_printed_whole(name, run_evalkit):
    done = run_evalkit("schema", name)
    assert (done.returncode, done.stderr) == (0, "")
    jsonschema.Draft202012Validator.check_schema(json.loads(done.stdout))


def test_a_schema_that_does_not_exist_is_answered_with_those_that_do(run_evalkit):
    done = run_evalkit("schema", "evalsets")
    assert done.returncode == 2
    assert "'evalset', 'config', 'mocks', 'gold', 'holmes_case', 'results'" in done.stderr
