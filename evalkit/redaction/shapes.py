"""Kinds of secrets that are known by their form: the one list, for the rule `secret` of `check` and for redaction."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_compiled = cache(re.compile)
_LONGEST_LEAD = 40
_NOT_IN_A_WORD = "(?<![A-Za-z0-9])"


class Shaped(NamedTuple):
    """Something of the shape of a secret in a text.

    Attributes:
        start: Where it begins.
        whole: All of it, with what stands around the secret and tells what it is.
        secret: The secret itself.
        place: Where that begins and ends.
    """

    start: int
    whole: str
    secret: str
    place: tuple[int, int]


class Shape(NamedTuple):
    """A kind of secret with a form of its own.

    Attributes:
        kind: What it is, with its article.
        form: How it is written, in the syntax that `re` and Rust's `regex` share. If there is a group in it, that is
            the secret itself, and the rest tells what it is.
        marks: What such a text has in it, one of them at least: by this it is found in base64 and hexadecimal.
        lead: What stands before the form, in the syntax of `re`. A quick look does without; and `re` is much faster
            with an expression that does not begin with it.
    """

    kind: str
    form: str
    marks: tuple[str, ...]
    lead: str = _NOT_IN_A_WORD

    def find(self, text: str) -> Iterator[Shaped]:
        """Yield each place in a text that has the form."""
        if not any(mark in text for mark in self.marks):
            return
        form, lead = _compiled(self.form), _compiled(rf"(?:{self.lead})\Z")
        position = 0
        while found := form.search(text, position):
            before = lead.search(text, max(0, found.start() - _LONGEST_LEAD), found.start())
            position = found.end() if before else found.start() + 1
            if before:
                start = before.start()
                place = found.span(1) if form.groups else (start, found.end())
                yield Shaped(start, text[start : found.end()], text[slice(*place)], place)


_KEY_HEAD = r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
_KEY_END = r"-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"

SHAPES: tuple[Shape, ...] = (
    Shape("an AWS access key", r"A[KS]IA[0-9A-Z]{16}\b", ("AKIA", "ASIA")),
    Shape("a Google API key", r"AIza[\w-]{35}", ("AIza",)),
    Shape("a Google OAuth token", r"ya29\.[\w-]{20,}", ("ya29.",)),
    Shape("a Google refresh token", r"1//0[\w-]{30,}", ("1//0",)),
    Shape("a Google client secret", r"GOCSPX-[\w-]{20,}", ("GOCSPX-",)),
    Shape("an API key", r"sk-[A-Za-z0-9_-]{20,}", ("sk-",)),
    Shape("an API key", r"(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{24,}", ("gsk_", "xai-", "pplx-", "r8_")),
    Shape("a live Stripe key", r"[rs]k_live_[A-Za-z0-9]{16,}", ("sk_live_", "rk_live_")),
    Shape("a webhook's secret", r"whsec_[A-Za-z0-9+/]{24,}=*", ("whsec_",)),
    Shape("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    Shape("a GitHub token", r"github_pat_\w{22,}", ("github_pat_",)),
    Shape(
        "a GitLab token", r"gl(?:pat|dt|rt|cbt|agent)-[\w-]{20,}", ("glpat-", "gldt-", "glrt-", "glcbt-", "glagent-")
    ),
    Shape("a Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}", ("xox",)),
    Shape("a Slack token", r"xapp-[A-Za-z0-9-]{10,}", ("xapp-",)),
    Shape("a Slack webhook", r"hooks\.slack\.com/services/(T\w+/B\w+/\w{16,})", ("hooks.slack.com",), lead=""),
    Shape("a Hugging Face token", r"hf_[A-Za-z0-9]{30,}", ("hf_",)),
    Shape("an npm token", r"npm_[A-Za-z0-9]{36}\b", ("npm_",)),
    Shape("a PyPI token", r"pypi-[\w-]{50,}", ("pypi-",)),
    Shape("a Docker token", r"dckr_[op]at_[\w-]{20,}", ("dckr_",)),
    Shape("a Grafana token", r"gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_eyJ[\w+/=-]{30,})", ("glsa_", "glc_")),
    Shape("a Vault token", r"hv[bsr]\.[\w-]{24,}", ("hvb.", "hvs.", "hvr.")),
    Shape("a Terraform token", r"\.atlasv1\.[\w-]{60,}", (".atlasv1.",), lead=_NOT_IN_A_WORD + "[A-Za-z0-9]{14}"),
    Shape("a Databricks token", r"dapi[0-9a-f]{32}(?:-\d)?\b", ("dapi",)),
    Shape("a DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}", ("doo_v1_", "dop_v1_", "dor_v1_")),
    Shape("an Atlassian token", r"ATATT3[\w-]{50,}=?[0-9A-F]*", ("ATATT3",)),
    Shape("a Sentry token", r"sntr(?:ys_eyJ[\w+/=]{30,}|yu_[0-9a-f]{64})", ("sntrys_", "sntryu_")),
    Shape("a New Relic key", r"NRAK-[A-Z0-9]{27}", ("NRAK-",)),
    Shape("a Tailscale key", r"tskey-[a-z]+-\w+-\w{16,}", ("tskey-",)),
    Shape("a SendGrid key", r"SG\.[\w-]{16,}\.[\w-]{32,}", ("SG.",)),
    Shape("a Telegram bot token", r":AA[\w-]{33}", (":AA",), lead=_NOT_IN_A_WORD + r"\d{8,10}"),
    Shape("an age key", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}", ("AGE-SECRET-KEY-",)),
    Shape("a private key", rf"{_KEY_HEAD}(?:[\s\S]*?{_KEY_END}|[A-Za-z0-9+/=\s]*)", ("PRIVATE KEY",), lead=""),
    Shape("a signed token (JWT)", r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}", ("eyJ",)),
    Shape("a bearer token", r"[Bb]earer ([\w.~+/-]{20,}=*)", ("earer ",)),
    Shape("an Azure key", r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}=*)", ("AccountKey=", "AccessKey=")),
    Shape("an Azure client secret", r"[78]Q~[\w.~-]{31,34}", ("7Q~", "8Q~"), lead=_NOT_IN_A_WORD + r"\w{3}"),
    Shape("a signed address", r"(?:sig|Signature)=([\w%+/-]{30,}=*)", ("sig=", "Signature="), lead=r"[?&](?:X-\w+-)?"),
    Shape(
        "a password in an address",
        r"://[^\s/:@\"']*:([^\s/@\"']{6,})@",
        ("://",),
        lead=_NOT_IN_A_WORD + "[a-z][a-z0-9+.-]{0,30}",
    ),
)
"""Each kind with its form; what fits two is of the first."""
