import json

import pytest

from evalkit.formats.json_text import parse_json
from evalkit.formats.secret_shapes import secret_kind, secret_problems, secrets_in_text

# Put together here, so that no scanner takes this file for one with secrets.
SECRETS = {
    "an AWS access key": "AKIA" + "Q3EGRZ7T5JWPLX2N",
    "a Google API key": "AIza" + "SyB7k3Xp9QdL2mTzVbN4wRsJhG6fCe1aUo0",
    "an API key": "sk-" + "proj-a8Kd02LmQp93RtYx7Zw1Vb5N",
    "a GitHub token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "a GitLab token": "glpat-" + "Zx81kPqR57vTnM2wYc9L",
    "a Slack token": "xoxb-" + "218349058127-Kq8Zt3LmXv",
    "a Hugging Face token": "hf_" + "QmZxTrWpLkVnBsYcJdFgHaEuRoIx7281Kq",
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow",
    "a signed token (JWT)": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "a bearer token": "Authorization: Bearer " + "0f8fad5bd9cb469fa16570867728950e",
    "a password in an address": "postgresql://ops:" + "Zk39xPq7@db.internal:5432/app",
}


@pytest.mark.parametrize(("kind", "text"), SECRETS.items(), ids=[*SECRETS])
def test_a_secret_is_known_by_its_shape_wherever_it_stands(kind, text):
    assert secret_kind(f"then use {text} for it") == kind


@pytest.mark.parametrize(
    "text",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "sk-" + "x" * 30,
        "Bearer <your-access-token-here>",
        "Bearer ${ACCESS_TOKEN_OF_THE_SERVICE}",
        "postgresql://ops:${PASSWORD}@db/app",
        "task-scheduler-of-the-kubernetes-cluster",
        "https://example.com/a:b@c",
        "eyJ is how such tokens start",
        "the bearer of this message",
    ],
)
def test_what_is_made_up_or_no_secret_is_left_alone(text):
    assert secret_kind(text) is None


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("password", "k3Jx9QpL2mZt7VbN4wRs", True),
        ("db_password", "k3Jx9QpL2mZt7VbN4wRs", True),
        ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzq9Lk8Tpx", True),
        ("client-secret", "k3Jx9QpL2mZt7VbN4wRs", True),
        ("password", "short1", False),
        ("password", "correct horse battery staple 1", False),
        ("password", "fake-password-of-the-operator-1", False),
        ("next_page_token", "k3Jx9QpL2mZt7VbN4wRs", False),
        ("secret_name", "k3Jx9QpL2mZt7VbN4wRs", False),
        ("topic", "k3Jx9QpL2mZt7VbN4wRs", False),
        ("token", "orders-consumer-group-1", False),
    ],
)
def test_a_value_is_known_by_its_key_if_it_looks_made_by_a_generator(key, value, found):
    assert bool(secret_kind(value, key)) == found


def test_the_problem_points_at_the_value_and_does_not_repeat_it():
    token = SECRETS["a GitHub token"]
    text = json.dumps({"a": [{"token": token}]}, indent=1)
    (problem,) = secret_problems(parse_json(text, "f").value, text)
    assert (problem.path, problem.line, problem.rule, problem.severity) == ("$.a[0].token", 4, "secret", "warning")
    assert token not in str(problem)


def test_a_file_of_plain_text_is_searched_too():
    assert secrets_in_text("all is well\n", "f") == ()
    (problem,) = secrets_in_text(f"line one\n  {SECRETS['a Slack token']}\n", "f")
    assert (problem.line, problem.column) == (2, 3)
