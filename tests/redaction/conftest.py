"""Secrets to plant, one of each kind: made here by chance, so that no scanner takes this file for one with secrets."""

import base64
import json
import random
import re
import string
from collections.abc import Callable, Mapping
from urllib.parse import quote, quote_plus

import pytest

LETTERS = string.ascii_letters + string.digits
CAPITALS = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
_chance = random.Random(20251130)  # noqa: S311 - they open nothing


def some(count: int, signs: str = LETTERS) -> str:
    return "".join(_chance.choices(signs, k=count))


SHAPED: Mapping[str, str] = {
    "AWS": "AKIA" + some(16, CAPITALS),
    "AWS, temporary": "ASIA" + some(16, CAPITALS),
    "Google": "AIza" + some(35),
    "Google, OAuth": "ya29." + some(60),
    "Google, refresh": "1//0" + some(60),
    "Google, client": "GOCSPX-" + some(28),
    "OpenAI": "sk-proj-" + some(64, LETTERS + "_-"),
    "Anthropic": "sk-ant-api03-" + some(93, LETTERS + "_-") + "AA",
    "Groq": "gsk_" + some(52),
    "Stripe": "sk_live_" + some(24),
    "webhook": "whsec_" + some(32),
    "GitHub": "ghp_" + some(36),
    "GitHub, fine-grained": "github_pat_" + some(22) + "_" + some(59),
    "GitLab": "glpat-" + some(20),
    "Slack": "xoxb-" + some(12, string.digits) + "-" + some(24),
    "Slack, app": "xapp-1-" + some(11, CAPITALS) + "-" + some(13, string.digits) + "-" + some(64, HEX),
    "Hugging Face": "hf_" + some(34),
    "npm": "npm_" + some(36),
    "PyPI": "pypi-AgEI" + some(120, LETTERS + "_-"),
    "Docker": "dckr_pat_" + some(27),
    "Grafana": "glsa_" + some(32) + "_" + some(8, HEX),
    "Vault": "hvs." + some(24),
    "Terraform": some(14) + ".atlasv1." + some(67),
    "Databricks": "dapi" + some(32, HEX),
    "DigitalOcean": "dop_v1_" + some(64, HEX),
    "Atlassian": "ATATT3xFfGF0" + some(120, LETTERS + "_-"),
    "Sentry": "sntryu_" + some(64, HEX),
    "New Relic": "NRAK-" + some(27, CAPITALS),
    "Tailscale": "tskey-auth-" + some(12) + "-" + some(32),
    "SendGrid": "SG." + some(22) + "." + some(43),
    "Telegram": some(9, "123456789") + ":AA" + some(33),
    "age": "AGE-SECRET-KEY-1" + some(58, CAPITALS),
    "private key": "\n".join(
        [
            "-----BEGIN " + "PRIVATE KEY-----",
            *(some(64, LETTERS + "+/") for _ in range(4)),
            some(22, LETTERS) + "==",
            "-----END " + "PRIVATE KEY-----",
        ]
    ),
    "JWT": "eyJ" + some(33) + ".eyJ" + some(80) + "." + some(43, LETTERS + "_-"),
    "Azure": some(3) + "8Q~" + some(34),
}
"""Secrets whose form tells what they are."""

SURROUNDED: Mapping[str, tuple[str, str, str]] = {
    "Slack webhook": (
        "https://hooks.slack.com/services/",
        "T" + some(8, CAPITALS) + "/B" + some(8, CAPITALS) + "/" + some(24),
        "",
    ),
    "bearer": ("Authorization: Bearer ", some(40), ""),
    "basic": ("Authorization: Basic ", base64.b64encode(f"ops:{some(16)}".encode()).decode(), ""),
    "Azure account": ("AccountName=ops;AccountKey=", some(86, LETTERS + "+/") + "==", ";EndpointSuffix=x"),
    "signed address": ("https://ops.blob/logs?sv=1&sig=", some(40) + "%3D", "&se=2"),
    "password in an address": ("postgresql://ops:", some(8) + "-" + some(4) + "!", "@db.internal:5432/app"),
    "setting": ("KAFKA_SASL_PASSWORD=", some(7) + "?" + some(3), ""),
    "JSON in a text": ('{"api_key": "', some(9) + "$" + some(4), '"}'),
    "query": ("GET /v1/items?access_token=", some(24), "&page=2"),
    "flag": ("docker login --password ", some(6) + "#" + some(5), " registry.internal"),
    "cookie": ("Cookie: theme=dark; session=", some(24), "; Path=/"),
}
"""What stands before a secret, the secret, and what stands behind it."""


def _in_lower_case(text: str) -> str:
    return re.sub("%..", lambda escape: escape[0].lower(), text)


def _spellings(text: str) -> dict[str, str]:
    """Write a text in each encoding; in base64 it is preceded by as many other bytes as the name says."""
    data = text.encode()
    everywhere = {
        "as it is": text,
        "JSON": json.dumps(text)[1:-1],
        "JSON in JSON": json.dumps(json.dumps(text))[3:-3],
        "URL": quote(text, safe=""),
        "URL, lower case": _in_lower_case(quote(text, safe="")),
        "URL, slashes kept": quote(text),
        "form": quote_plus(text),
        "URL in a URL": quote(quote(text, safe=""), safe=""),
        "hexadecimal": data.hex(),
        "hexadecimal, capitals": data.hex().upper(),
    }
    for before in range(3):
        padded = b":" * before + data + b":" * (-(before + len(data)) % 3)
        everywhere[f"base64 after {before}"] = base64.b64encode(padded).decode()
        everywhere[f"base64 for URLs after {before}"] = base64.urlsafe_b64encode(padded).decode()
        everywhere[f"base64 in lines after {before}"] = base64.encodebytes(padded).decode().strip()
    return everywhere


def _left_of(text: str, secret: str) -> list[str]:
    """Say in which encodings a secret can be read in a text; of base64 its inner digits, which depend on it alone."""
    texts = (text, text.replace("\n", ""))
    left = []
    for encoding, spelling in _spellings(secret).items():
        core = spelling.replace("\n", "")[4:-4] if "base64" in encoding else spelling
        if any(core in one for one in texts):
            left.append(encoding)
    return left


@pytest.fixture(scope="session")
def shaped() -> Mapping[str, str]:
    """Secrets whose form tells what they are, by kind."""
    return SHAPED


@pytest.fixture(scope="session")
def surrounded() -> Mapping[str, tuple[str, str, str]]:
    """Secrets that only their surroundings tell: what stands before, the secret, what stands behind."""
    return SURROUNDED


@pytest.fixture(scope="session")
def spellings() -> Callable[[str], dict[str, str]]:
    """Write a text in each encoding."""
    return _spellings


@pytest.fixture(scope="session")
def left_of() -> Callable[[str, str], list[str]]:
    """Say in which encodings a secret can still be read in a text."""
    return _left_of
