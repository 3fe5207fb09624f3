"""The redactor: what stands in the place of secrets, in texts, in JSON values and in dataclasses."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from typing import Self, TypeVar

from evalkit.cases import Json
from evalkit.codec.decoding import decode
from evalkit.codec.encoding import dumps, encode
from evalkit.redaction.environment import secret_variables
from evalkit.redaction.finding import find_secrets
from evalkit.redaction.hits import Hit
from evalkit.redaction.known import KnownSecrets
from evalkit.redaction.likeness import decoded, is_certain, is_named_secret, is_telling
from evalkit.redaction.pairs import SCHEME, label
from evalkit.redaction.suspicion import may_hold_secret
from evalkit.redaction.walk import without_secrets

T = TypeVar("T")

_SHORTEST = 6
"""Characters that a text with a secret has at least."""
_PLACEHOLDER = re.compile(r"(\[secret: [^\[\]]*\])")
_IN_A_HEADER = re.compile(rf"(?s){SCHEME}(.+)")


class Redactor:
    """Hides secrets in whatever is about to be written.

    One redactor serves one run, so that a secret has the same name everywhere in it; it remembers the secrets that it
    has seen. A text without anything suspicious costs a look of some microseconds a kilobyte.

    Args:
        environment: Variables; those with a secret are known from the start.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._known = KnownSecrets()
        self._names: dict[str, str] = {}
        self._taken: Counter[str] = Counter()
        self._issued: set[str] = set()
        self.add(secret_variables(environment or {}))

    @classmethod
    def of_process(cls) -> Self:
        """Make a redactor that knows the secrets in the environment of this process."""
        return cls(os.environ)

    def add(self, secrets: Mapping[str, str]) -> None:
        """Make secrets known by the names under which they are kept, such as `OPENAI_API_KEY`."""
        for name, secret in secrets.items():
            self._learn(secret, label(name))

    @property
    def known(self) -> int:
        """How many secrets are known by their values; where it has grown, what was written before may have some."""
        return len(self._known)

    def learn_from(self, value: object) -> None:
        """Learn the secrets that a value gives away by their names or their surroundings, and that others may quote."""
        self.line(value)

    def text(self, text: str) -> str:
        """Return a text without its secrets; texts that are cut or wrapped are to be given before that is done."""
        while len(text) >= _SHORTEST and self._is_suspicious(text):
            redacted = self._once(text)
            if redacted == text:
                break
            text = redacted
        return text

    def value(self, value: Json) -> Json:
        """Return a JSON value without the secrets in its texts and under its keys; the same object if it has none."""
        if not self._is_suspicious(dumps(value)):
            return value
        redacted, known = value, -1
        while known < len(self._known):  # again: what was learned may stand before the place that told of it
            known = len(self._known)
            redacted = without_secrets(redacted, self._hide)
        return value if redacted == value else redacted

    def line(self, value: object) -> str:
        """Encode any value as one line of JSON without secrets."""
        line = dumps(value)
        return dumps(self.value(encode(value))) if self._is_suspicious(line) else line

    def clear(self, value: T) -> T:
        """Return a dataclass that the codec can store, without its secrets; the same object if there are none."""
        if not self._is_suspicious(dumps(value)):
            return value
        encoded = encode(value)
        redacted = self.value(encoded)
        return value if redacted == encoded else decode(type(value), redacted)

    def _once(self, text: str) -> str:
        return "".join(
            self._without_secrets(piece) if piece not in self._issued and self._is_suspicious(piece) else piece
            for piece in _PLACEHOLDER.split(text)
        )

    def _without_secrets(self, text: str) -> str:
        hits = find_secrets(text, self._known)
        news = [hit for hit in hits if hit.tells and self._learn(hit.secret, hit.name)]
        if news:
            hits = find_secrets(text, self._known)
        pieces, done = [], 0
        for hit in hits:
            pieces += [text[done : hit.start], self._placeholder(hit)]
            done = hit.end
        return "".join([*pieces, text[done:]])

    def _hide(self, text: str, name: str = "", *, sure: bool = False) -> str:
        """Return a text that stands under a name without its secrets; all of it is one if the name says so."""
        header = _IN_A_HEADER.fullmatch(text)
        secret = header[1] if header else text
        if not (is_named_secret(name, secret) or (sure and is_certain(decoded(secret) or secret))):
            return self.text(text)
        if is_telling(secret):
            self._learn(secret, label(name))
        hits = find_secrets(secret, self._known)  # it may have a better name, or be the base64 of one that has
        whole = len(hits) == 1 and hits[0].end - hits[0].start == len(secret)
        hit = hits[0] if whole else Hit(0, len(secret), secret, label(name))
        return text.removesuffix(secret) + self._placeholder(hit)

    def _learn(self, secret: str, name: str) -> bool:
        """Remember a secret and, if it is base64 of a text, that and the password in it; return whether it is new."""
        inner = decoded(secret)
        if inner and ":" in inner and is_telling(password := inner.rpartition(":")[2]):
            self._known.add(password, name)
        elif inner and is_telling(inner):
            self._known.add(inner, name)
            name = f"{name} (base64)"
        return self._known.add(secret, name)

    def _placeholder(self, hit: Hit) -> str:
        """Return what stands in the place of a secret: the same for the same secret, another for another."""
        if hit.secret not in self._names:
            name = "a secret" if hit.secret in hit.name or self.text(hit.name) != hit.name else hit.name
            self._taken[name] += 1
            self._names[hit.secret] = f"{name} {self._taken[name]}" if self._taken[name] > 1 else name
        encoding = f" ({hit.encoding})" if hit.encoding else ""
        shown = f"[secret: {self._names[hit.secret]}{encoding}]"
        self._issued.add(shown)
        return shown

    def _is_suspicious(self, text: str) -> bool:
        return may_hold_secret(text) or self._known.may_be_in(text)
