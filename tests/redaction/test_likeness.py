import base64

import pytest

from evalkit.redaction.likeness import decoded, is_certain, is_likely, is_random, is_stand_in, is_telling


@pytest.mark.parametrize("value", ["k3Jx9QpL2mZt7VbN4wRs", "0f8fad5bd9cb469fa16570867728950e", "a1b2c3d4-e5f60718-xyz"])
def test_what_a_generator_makes_looks_random(value):
    assert is_random(value)


@pytest.mark.parametrize(
    "value",
    ["short1", "correct horse battery 1", "orders-consumer-group-1", "20251130120000123", "https://a1.b2/c3d4e5f6"],
)
def test_names_sentences_and_numbers_do_not(value):
    assert not is_random(value)


@pytest.mark.parametrize(
    ("value", "likely"),
    [
        ("k3Jx9QpL2mZt7VbN4wRs", True),
        ("abc12345", True),
        ("0b6f9c1e-8a3d-4f57-9f0e-2d8f1c3b5a79", True),
        ("kafka-credentials-7f9d8c6b5", False),
        ("broker-1", False),
        ("orders", False),
        ("scram-sha-256", False),
    ],
)
def test_under_a_likely_name_a_value_in_one_piece_is_a_secret(value, likely):
    assert is_likely(value) == likely


@pytest.mark.parametrize(
    "value",
    [
        "hunter2",
        "horse",
        "correct horse battery staple",
        "$ecret123",
        "p@ss: w0rd",
        "1234",
        "pa55 with a sign",
        "!@#$%^&*()",
    ],
)
def test_under_a_certain_name_anything_is_a_secret(value):
    assert is_certain(value)


@pytest.mark.parametrize(
    "value",
    ["", "abc", "true", "Admin", "localhost", "This field is required", "must have 8 digits.", "The user's password"],
)
def test_words_and_sentences_are_none_even_there(value):
    assert not is_certain(value)


@pytest.mark.parametrize(
    "value",
    [
        *("${TOKEN}", "$TOKEN", "$(cat token)", "<your token>", "{{ token }}", "%TOKEN%", "****", "xxxx-xxxx"),
        *("(redacted)", "[secret: DB_PASSWORD 2 (base64)]", "not-shown", "your-api-key", "changeme"),
    ],
)
def test_a_value_that_stands_for_another_is_none(value):
    assert is_stand_in(value)
    assert not is_certain(value)


@pytest.mark.parametrize(
    "value", ["hunter2", "Horse-battery", "correct horse battery staple", "4815162342", "orderscustomers17"]
)
def test_a_peculiar_secret_tells_wherever_it_stands(value):
    assert is_telling(value)


@pytest.mark.parametrize(
    "value", ["postgres", "horse", "h2", "12345678", "/run/secrets/db_password", "~/.kube/config", "orders"]
)
def test_words_numbers_and_paths_mean_other_things_elsewhere(value):
    assert not is_telling(value)


def test_a_key_that_looks_like_a_path_is_none():
    assert is_telling("/K7MDENG/bPxRfiCYzzq9Lk8TpxwJalrXUtnFEMI")


def test_base64_of_a_text_is_read_and_other_base64_is_not():
    assert decoded(base64.b64encode(b"ops:hunter2").decode()) == "ops:hunter2"
    assert decoded(base64.b64encode(bytes(range(200, 220))).decode()) is None
    assert decoded("orders") is None
