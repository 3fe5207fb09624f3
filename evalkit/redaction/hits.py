"""A secret that was found in a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret in a text.

    Attributes:
        start: Where in the text it begins.
        end: Before where it ends.
        secret: The secret itself, decoded; of one whose end was left out, what is there.
        name: What to call it: a variable, a kind, a key.
        encoding: How it is encoded in the text; empty if it is not.
        tells: Whether it is peculiar enough to be hidden wherever else it stands.
    """

    start: int
    end: int
    secret: str
    name: str
    encoding: str = ""
    tells: bool = False
