"""What a text looks like when it is encoded, as far as a quick look for it needs to know."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

_PIECE = re.compile(r"[A-Za-z0-9]+")
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_LEAST = 3
"""Characters that are looked for at least, where there are so many."""
_LEAST_OF_DIGITS = 6
_MOST = 10
"""Characters that are enough to look for; whoever finds them looks closer."""


def traces(secret: str, begun: int) -> frozenset[str]:
    """Return short texts, one of which stands wherever the secret does: as it is, escaped, in base64, in hexadecimal.

    Letters and digits are never escaped, so that a piece of them is enough, if there is a long one.

    Args:
        secret: The secret.
        begun: With so many of its first characters it stands in a text even if the rest is left out.
    """
    in_base64 = (piece for core in base64_cores(secret) for piece in _two_pieces(core))
    beginning = secret[:begun]
    return frozenset([*_plain(secret), *in_base64, *hex_cores(secret), beginning, json.dumps(beginning)[1:-1]])


def base64_cores(text: str) -> Iterator[str]:
    """Yield the base64 digits that do not depend on what stands around the text: for each of its three alignments."""
    data = text.encode(errors="surrogatepass")
    for before in range(3):
        digits = base64.b64encode(bytes(before) + data + bytes(2)).decode()
        core = digits[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        yield core
        yield core.replace("+", "-").replace("/", "_")


def hex_cores(text: str) -> Iterator[str]:
    """Yield how the text begins in hexadecimal digits, in both cases."""
    digits = text.encode(errors="surrogatepass").hex()[: 2 * _MOST]
    yield digits
    yield digits.upper()


def _plain(secret: str) -> list[str]:
    """Write a secret in the ways in which signs are escaped, unless it has a piece that never is."""
    piece = _piece(secret)
    if piece:
        return [piece]
    data = secret.encode(errors="surrogatepass")
    percent = [quote(data, safe=""), quote(data), quote_plus(data)]
    percent += [quote(one, safe="") for one in percent]
    lower = [_ESCAPE.sub(lambda escape: escape[0].lower(), one) for one in percent]
    escaped, wide = json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]
    twice = [json.dumps(one)[1:-1] for one in (escaped, wide)]
    return [secret, data.decode("latin-1"), escaped, escaped.replace("/", "\\/"), wide, *twice, *percent, *lower]


def _piece(text: str) -> str | None:
    longest = max(_PIECE.findall(text), key=len, default="")
    return longest[:_MOST] if len(longest) >= _LEAST else None


def _two_pieces(digits: str) -> list[str]:
    """Take two pieces of base64 digits, if there are enough: a line may end in the middle of one of them."""
    pieces = [piece for piece in sorted(_PIECE.findall(digits), key=len)[-2:] if len(piece) >= _LEAST_OF_DIGITS]
    if pieces and len(pieces[-1]) >= 2 * _MOST:
        return [pieces[-1][:_MOST], pieces[-1][-_MOST:]]
    return [piece[:_MOST] for piece in pieces] or [digits]
