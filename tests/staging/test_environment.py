import os

import pytest

from evalkit.staging.environment import expanded

ENVIRONMENT = {"HOME": "/home/me", "EMPTY": ""}


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("$HOME/.kube", "/home/me/.kube"),
        ("${HOME}x", "/home/mex"),
        ("$HOMES", "$HOMES"),
        ("${NOT SET}", "${NOT SET}"),
        ("$EMPTY.", "."),
        ("$", "$"),
        ("$$HOME", "$/home/me"),
        ("${", "${"),
    ],
)
def test_a_value_is_expanded_as_python_does_it(value, meant, monkeypatch):
    for name, known in ENVIRONMENT.items():
        monkeypatch.setenv(name, known)
    assert expanded({"V": value}, ENVIRONMENT) == {"V": meant}
    assert os.path.expandvars(value) == meant


def test_a_variable_may_use_those_before_it():
    assert expanded({"A": "$HOME/a", "B": "$A/b"}, ENVIRONMENT) == {"A": "/home/me/a", "B": "/home/me/a/b"}
