"""The redactor: placeholders that tell what was there, in texts, JSON values and dataclasses."""

import base64
import json
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings, strategies as st

from evalkit.cases import Case, Config
from evalkit.redaction.names import degree
from evalkit.redaction.redactor import Redactor
from evalkit.results import CaseResult, CriterionResult
from evalkit.runs import RunInfo
from evalkit.traces import Failure, Outcome, Trace

ENVIRONMENT = {"DB_PASSWORD": "horse-7-battery", "DATABASE_URL": "postgresql://ops:Zk39xPq7@db/app", "USER": "jane"}


@pytest.fixture
def redactor():
    return Redactor(ENVIRONMENT)


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_the_placeholder_names_the_variable_and_the_encoding(redactor):
    said = f"horse-7-battery {in_base64('horse-7-battery')} horse%2D7%2Dbattery {b'horse-7-battery'.hex()}"
    assert redactor.text(said) == (
        "[secret: DB_PASSWORD] [secret: DB_PASSWORD (base64)] [secret: DB_PASSWORD (URL-encoded)]"
        " [secret: DB_PASSWORD (hexadecimal)]"
    )
    assert redactor.text("postgresql://ops:Zk39xPq7@db/app") == "postgresql://ops:[secret: DATABASE_URL]@db/app"


def test_what_stands_around_a_secret_in_base64_stays(redactor):
    header = in_base64("jane:horse-7-battery!")
    assert redactor.text(header) == in_base64("jane:h")[:6] + "[secret: DB_PASSWORD (base64)]" + header[-1:]


def test_equal_secrets_have_equal_placeholders_and_different_ones_different_placeholders(redactor, shaped):
    first, second = ("ghp_" + letter * 18 + "1b2C3d4E5f6G7h8I9j" for letter in "aB")
    assert redactor.text(f"{first} {second}") == "[secret: a GitHub token] [secret: a GitHub token 2]"
    assert redactor.text(f"{second} {first}") == "[secret: a GitHub token 2] [secret: a GitHub token]"
    assert redactor.value({"password": "one-1", "old": {"password": "two-2"}}) == {
        "password": "[secret: password]",
        "old": {"password": "[secret: password 2]"},
    }


def test_a_secret_that_a_name_tells_is_hidden_wherever_else_it_stands(redactor):
    value = ["it is s3same!", {"Password": "s3same!"}, f"or {in_base64('s3same!')}"]
    assert redactor.value(value) == [
        "it is [secret: Password]",
        {"Password": "[secret: Password]"},
        "or [secret: Password (base64)]",
    ]
    assert redactor.text("again: s3same!") == "again: [secret: Password]"


def test_a_common_word_is_hidden_under_its_name_alone(redactor):
    assert redactor.value({"password": "kitten", "said": "a kitten"}) == {
        "password": "[secret: password]",
        "said": "a kitten",
    }


@pytest.mark.parametrize(
    ("value", "redacted"),
    [
        pytest.param(
            {"headers": {"Authorization": "Bearer abc-1", "X-Api-Key": "qwert", "Accept": "*/*"}},
            {
                "headers": {
                    "Authorization": "Bearer [secret: Authorization]",
                    "X-Api-Key": "[secret: X-Api-Key]",
                    "Accept": "*/*",
                }
            },
            id="headers",
        ),
        pytest.param(
            [["Authorization", "Basic eDp5"], ["Age", "1"]],
            [["Authorization", "Basic [secret: Authorization]"], ["Age", "1"]],
            id="pairs",
        ),
        pytest.param(
            {"cookie": ["a=1234", "b=5678"]},
            {"cookie": ["[secret: cookie]", "[secret: cookie 2]"]},
            id="a list under a name",
        ),
        pytest.param(
            [{"name": "DB_PASSWORD", "value": "s3same"}, {"value": "s3same", "name": "TOPIC"}],
            [
                {"name": "DB_PASSWORD", "value": "[secret: DB_PASSWORD]"},
                {"value": "[secret: DB_PASSWORD]", "name": "TOPIC"},
            ],
            id="objects with a name and a value",
        ),
        pytest.param(
            ["login", "--password", "kitten", "-u", "jane"],
            ["login", "--password", "[secret: password]", "-u", "jane"],
            id="flags",
        ),
        pytest.param(
            {"api_key": 48151623, "token": 48151623, "password": True},
            {"api_key": "[secret: api_key]", "token": 48151623, "password": True},
            id="numbers",
        ),
        pytest.param(
            {
                "kind": "Secret",
                "metadata": {"name": "db"},
                "data": {"url": in_base64("http://x"), "user": in_base64("admin")},
            },
            {
                "kind": "Secret",
                "metadata": {"name": "db"},
                "data": {"url": "[secret: url (base64)]", "user": in_base64("admin")},
            },
            id="a Kubernetes secret",
        ),
    ],
)
def test_names_in_json_tell_what_is_secret(value, redacted):
    assert Redactor().value(value) == redacted


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"password": {"type": "string", "description": "The password of the user"}}, id="a schema"),
        pytest.param({"password": ["This field is required."], "api_key": "missing"}, id="errors"),
        pytest.param({"secret": "db-credentials", "token": "orders-consumer-1"}, id="names of things"),
        pytest.param({"api_key": "${API_KEY}", "password": "", "token": None}, id="stand-ins"),
        pytest.param({"total_tokens": 1200, "next_page_token": "k3Jx9QpL2mZt7VbN4wRs"}, id="other tokens"),
    ],
)
def test_what_is_no_secret_stays_under_such_names_too(value):
    assert Redactor().value(value) is value


def test_a_key_may_be_a_secret(redactor):
    assert redactor.value({"horse-7-battery": "kitten"}) == {"[secret: DB_PASSWORD]": "kitten"}


def test_base64_under_a_name_is_known_by_what_it_says(redactor):
    manifest = {"password": in_base64("s3same-open")}
    assert redactor.value(manifest) == {"password": "[secret: password (base64)]"}
    assert redactor.text("so s3same-open it is") == "so [secret: password] it is"


def test_a_name_never_shows_the_secret_itself(redactor):
    assert redactor.value({"horse-7-battery_token": "horse-7-battery"}) == {
        "[secret: DB_PASSWORD]_token": "[secret: DB_PASSWORD]"
    }
    assert redactor.value({"a1b2c3d4_password": "a1b2c3d4_password"}) == {"[secret: a secret]": "[secret: a secret]"}


def test_what_has_no_secret_is_handed_back_as_it_is(redactor):
    value = {"topic": "orders", "lag": 75, "brokers": ["broker-1", "broker-2"]}
    outcome = Outcome(file="a.json", eval_id="one", trace=Trace(mode="golden", state={"group": "orders"}))
    assert redactor.value(value) is value
    assert redactor.clear(outcome) is outcome


def test_dataclasses_are_cleared_whatever_is_in_them(redactor):
    failure = Failure(kind="tool_error", message="login with horse-7-battery failed")
    outcome = Outcome(
        file="a.json", eval_id="one", failure=failure, trace=Trace(mode="golden", state={"api_key": "qwert"})
    )
    cleared = redactor.clear(outcome)
    assert cleared.failure == Failure(kind="tool_error", message="login with [secret: DB_PASSWORD] failed")
    assert cleared.trace == Trace(mode="golden", state={"api_key": "[secret: api_key]"})


def test_no_field_that_is_stored_has_the_name_of_a_secret():
    kinds = [Case, Config, Outcome, CaseResult, CriterionResult, RunInfo]
    names = set()
    while kinds:
        kind = kinds.pop()
        new = {field.name for field in fields(kind)} - names
        names |= new
        hints = [hint for name, hint in get_type_hints(kind).items() if name in new]
        kinds += [inner for hint in hints for inner in (hint, *get_args(hint)) if is_dataclass(inner)]
    assert {"eval_id", "failure", "threshold", "args"} <= names
    assert [name for name in names if degree(name)] == []


def test_secrets_of_an_agent_can_be_added_later(redactor):
    assert redactor.text("open-s3same") == "open-s3same"
    redactor.add({"AGENT_TOKEN": "open-s3same"})
    assert redactor.text("open-s3same") == "[secret: AGENT_TOKEN]"


def test_half_a_surrogate_pair_is_no_obstacle(redactor):
    assert redactor.text("\ud800 horse-7-battery") == "\ud800 [secret: DB_PASSWORD]"


NAMES = st.sampled_from(["topic", "name", "value", "args", "group", "total_tokens", "next_page_token", "kind", "data"])
ORDINARY = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.uuids().map(str),
    st.binary(min_size=32, max_size=32).map(bytes.hex).map("sha256:{}".format),
    st.binary(min_size=6, max_size=6).map(bytes.hex),
    st.from_regex(r"[a-z]{1,8}(-[a-z]{1,8}){0,4}-[0-9]{1,3}", fullmatch=True),
    st.from_regex(r"(GET|POST) /[a-z]{1,9}/[a-z]{1,9}\?[a-z]{1,5}=[a-z0-9]{1,9}", fullmatch=True),
    st.from_regex(r"[a-z]{1,9}\.[a-z]{1,9}\.svc:[0-9]{4}", fullmatch=True),
    st.datetimes().map(str),
    st.from_regex(r"[A-Z][a-z]{1,9}( [a-z]{1,9}){0,9}\.", fullmatch=True),
)


@settings(deadline=None, max_examples=60)
@given(st.recursive(ORDINARY, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=10))
def test_ordinary_values_stay_as_they_are(value):
    assert Redactor(ENVIRONMENT).value(value) is value


@pytest.fixture(scope="module")
def pieces(shaped, surrounded, spellings):
    """Strategy: texts of secrets, names, placeholders and signs, in any order."""
    whole = [*shaped.values(), *("".join(parts) for parts in surrounded.values())]
    encoded = [spelling for secret in list(shaped.values())[:6] for spelling in spellings(secret).values()]
    signs = [
        "password=",
        '"token": "',
        '"',
        "'",
        "--token ",
        "[secret: ",
        "]",
        "[secret: password]",
        "secret: ",
        "\\",
        "\\n",
    ]
    signs += [
        "%3D",
        "%",
        "+",
        "…",
        "...",
        "\n",
        " ",
        "Bearer ",
        "Authorization: ",
        "Cookie: a=",
        "://",
        "@",
        "abc12345XYZ99",
    ]
    piece = st.sampled_from([*whole, *encoded, *signs, "horse-7-battery"]) | st.text(max_size=10)
    return st.lists(piece, max_size=12).map("".join)


@settings(deadline=None)
@given(st.data())
def test_redacting_again_changes_nothing_by_whomever(pieces, data):
    redactor = Redactor(ENVIRONMENT)
    redacted = redactor.text(data.draw(pieces))
    assert redactor.text(redacted) == redacted
    assert Redactor(ENVIRONMENT).text(redacted) == redacted


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_json_stays_json_of_the_same_shape(pieces, data):
    names = (
        st.sampled_from(["password", "token", "name", "value", "kind", "stringData", "Authorization", "args"]) | pieces
    )
    values = st.recursive(
        pieces | ORDINARY, lambda inner: st.lists(inner) | st.dictionaries(names, inner), max_leaves=8
    )
    value = data.draw(values)
    redactor = Redactor(ENVIRONMENT)
    redacted = json.loads(redactor.line(value))
    assert _shape(redacted) == _shape(value)
    assert redactor.value(redacted) == redacted
    assert Redactor(ENVIRONMENT).value(redacted) == redacted


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted(map(str, map(_shape, value.values())))
    return [_shape(item) for item in value] if isinstance(value, list) else "leaf"
