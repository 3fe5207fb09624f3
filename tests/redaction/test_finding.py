"""Secrets in texts: of every shape and with every name, in every encoding, at every place of a text."""

import pytest

from evalkit.redaction.redactor import Redactor

PLACES = {
    "alone": "{}",
    "in a line of its own": "before\n{}\nafter",
    "in JSON": '{{"note": "{}"}}',
    "behind an escaped line end": r"before\n{}",
    "behind an underscore": "x_{}",
}


def test_secrets_of_every_shape_are_hidden_in_every_encoding(shaped, spellings, left_of):
    for kind, secret in shaped.items():
        for encoding, spelling in spellings(secret).items():
            redacted = Redactor().text(f"use {spelling} for it")
            assert left_of(redacted, secret) == [], (kind, encoding)
            assert redacted.startswith("use ")
            assert redacted.endswith(" for it")


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_secret_is_hidden_wherever_it_stands_in_a_text(place, shaped, left_of):
    for kind, secret in shaped.items():
        redacted = Redactor().text(place.format(secret))
        assert left_of(redacted, secret) == [], kind
        assert redacted.startswith(place.format("|").partition("|")[0] + "[secret: a"), kind


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_of_secrets_that_their_surroundings_tell_the_surroundings_stay(place, surrounded, left_of):
    for kind, (before, secret, behind) in surrounded.items():
        redacted = Redactor().text(place.format(before + secret + behind))
        assert left_of(redacted, secret) == [], kind
        assert redacted.startswith(place.format(before + "|").partition("|")[0]), kind
        assert redacted.endswith(place.format(behind + "|").rpartition("|")[2]), kind


def test_what_their_surroundings_tell_is_hidden_in_other_encodings_too(surrounded, spellings, left_of):
    for kind, (before, secret, behind) in surrounded.items():
        others = "\n".join(spellings(secret).values())
        assert left_of(Redactor().text(f"{before}{secret}{behind}\n{others}"), secret) == [], kind


def test_a_secret_whose_end_was_left_out_is_hidden_whether_it_was_seen_before_or_not():
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    redactor = Redactor({"DB_PASSWORD": "horse-7-battery"})
    assert redactor.text(f'found "{token[:20]}…') == 'found "[secret: a GitHub token]…'
    assert redactor.text(f"it is {token}") == "it is [secret: a GitHub token 2]"
    assert redactor.text(f'found "{token[:25]}…') == 'found "[secret: a GitHub token 2]…'
    assert redactor.text("wanted horse-7-b...") == "wanted [secret: DB_PASSWORD]..."


@pytest.mark.parametrize(
    "text",
    [
        "The pod web-7d4b9c8f6d-x2x7p of 0b6f9c1e-8a3d-4f57-9f0e-2d8f1c3b5a79 restarted twice",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "container 4c01db0b339c at broker-1.kafka.svc:9092, offset 1732924800123",
        "GET http://prometheus:9090/api/v1/query?query=up&time=1732924800",
        "the password must be changed; Password: required; no token: none was given",
        "total_tokens: 1200, next_page_token=CAEQAA0123456789abcdef, max_tokens=8000",
        "secretName: kafka-credentials-7f9d8c6b5, secret: db-tls, token_type: Bearer",
        "password=${DB_PASSWORD} token: <your token> api_key=*** secret=xxxxxxxx",
        "task-scheduler-of-the-kubernetes-cluster ran disk-usage-of-the-whole-node-pool",
        "evalsets/kafka_health/replies/consumer_groups_and_their_members.json",
        "the bearer of this message; basic authentication; https://example.com/a:b@c",
        "os.environ['API_KEY'], api_key=api_key, password=settings.password",
        "it said sk-... and then eyJ...",
    ],
)
def test_ordinary_text_stays_as_it_is(text):
    assert Redactor({"USER": "broker-1", "KAFKA_PASSWORD": "admin", "MODE_TOKEN": "true"}).text(text) == text
