"""The quick look: it may see secrets where none are, and never overlooks one that is found."""

from hypothesis import given, settings, strategies as st

from evalkit.redaction.finding import find_secrets
from evalkit.redaction.known import KnownSecrets
from evalkit.redaction.shapes import SHAPES
from evalkit.redaction.suspicion import may_hold_secret

SURROUNDINGS = st.text(max_size=12)
BEGINNINGS = st.sampled_from(["password", "API_KEY", "--token", "Authorization", "cookie", "my secret", "auth"])
BETWEENS = st.sampled_from(["=", ": ", '": "', "': b'", " ", "=>", "%3D", "\n  value: ", '", "value": "', ":Bearer "])
VALUES = st.sampled_from(["hunter2!", "k3Jx9QpL2mZt7VbN4wRs", "a=b; c=d", "Zk39xPq7"]) | st.text(
    min_size=4, max_size=30
)


def test_each_shape_has_its_mark_in_it(shaped):
    for secret in shaped.values():
        assert any(mark in secret for shape in SHAPES for mark in shape.marks)


def test_each_spelling_of_each_shape_is_suspicious(shaped, spellings):
    for kind, secret in shaped.items():
        for encoding, spelling in spellings(secret).items():
            assert may_hold_secret(f"\\n{spelling}\\n"), (kind, encoding)


@settings(deadline=None)
@given(st.tuples(SURROUNDINGS, BEGINNINGS, BETWEENS, VALUES, SURROUNDINGS).map("".join))
def test_where_a_secret_is_found_the_text_was_suspicious(text):
    assert may_hold_secret(text) or not find_secrets(text, KnownSecrets())


def test_ordinary_outcomes_are_not_suspicious():
    line = '{"file":"evalsets/lag.test.json","eval_id":"one","trace":{"mode":"golden","turns":[{"user":"How far?"}]}}'
    assert not may_hold_secret(line)
