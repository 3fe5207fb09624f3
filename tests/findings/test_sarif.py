import json
from pathlib import Path

import jsonschema
import pytest

from evalkit import __version__
from evalkit.check import CheckReport
from evalkit.errors import Problem
from evalkit.findings import render
from evalkit.formats.explanations import explanation
from evalkit.formats.rules import RULES

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
ESSENTIALS = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {
                                                    "type": "object",
                                                    "properties": {"level": LEVEL},
                                                    "additionalProperties": False,
                                                },
                                            },
                                            "additionalProperties": False,
                                        },
                                    },
                                },
                                "additionalProperties": False,
                            }
                        },
                    },
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "properties": {"message": TEXT, "level": LEVEL},
                                        "additionalProperties": False,
                                    },
                                },
                            },
                            "additionalProperties": False,
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": LEVEL,
                                "message": TEXT,
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                                "properties": {
                                                    "artifactLocation": {
                                                        "type": "object",
                                                        "properties": {
                                                            "uri": {"type": "string", "format": "uri-reference"}
                                                        },
                                                        "additionalProperties": False,
                                                    },
                                                    "region": {
                                                        "type": "object",
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1},
                                                            "startColumn": {"type": "integer", "minimum": 1},
                                                        },
                                                        "additionalProperties": False,
                                                    },
                                                },
                                                "additionalProperties": False,
                                            },
                                            "logicalLocations": {
                                                "type": "array",
                                                "items": {
                                                    "type": "object",
                                                    "properties": {"fullyQualifiedName": {"type": "string"}},
                                                    "additionalProperties": False,
                                                },
                                            },
                                        },
                                        "additionalProperties": False,
                                    },
                                },
                            },
                            "additionalProperties": False,
                        },
                    },
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""What SARIF 2.1.0 says of the parts that are written, and no other part."""


def rendered(*problems, refusal=None):
    document = json.loads(render("sarif", CheckReport(files=(), problems=problems), refusal))
    jsonschema.Draft202012Validator(ESSENTIALS, format_checker=jsonschema.FormatChecker()).validate(document)
    (run,) = document["runs"]
    return run


def test_a_problem_is_a_result_at_its_place_with_its_rule():
    problem = Problem(
        file="my evals/a.json",
        rule="legacy-form",
        message="x",
        path="$[0]",
        line=3,
        column=5,
        hint="y",
        severity="error",
    )
    run = rendered(Problem(file="b.json", rule="no-cases", message="z"), problem)
    assert run["tool"]["driver"]["version"] == __version__
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["no-cases", "legacy-form"]
    assert run["results"][1] == {
        "ruleId": "legacy-form",
        "ruleIndex": 1,
        "level": "error",
        "message": {"text": "x (y)"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "my%20evals/a.json"},
                    "region": {"startLine": 3, "startColumn": 5},
                },
                "logicalLocations": [{"fullyQualifiedName": "$[0]"}],
            }
        ],
    }


def test_a_rule_brings_its_explanation():
    (rule,) = rendered(Problem(file="b.json", rule="missing-args", message="z", severity="warning"))["tool"]["driver"][
        "rules"
    ]
    assert rule["shortDescription"]["text"] == RULES["missing-args"].about
    assert rule["help"]["markdown"] == explanation("missing-args")
    assert rule["defaultConfiguration"] == {"level": "warning"}


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("ä/a.json", "%C3%A4/a.json"),
        (str(Path("/srv/a b.json").absolute()), "file:///srv/a%20b.json"),
        ("a\udcff", "a%FF"),
    ],
)
def test_a_file_is_a_uri(file, uri):
    (result,) = rendered(Problem(file=file, rule="no-cases", message="z"))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_what_could_not_be_checked_is_told():
    run = rendered(refusal="nope: no such file")
    assert run["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [{"level": "error", "message": {"text": "nope: no such file"}}],
        }
    ]
