"""The report as users of HolmesGPT know it: what is hidden, and how records are counted."""

import pytest

from evalkit.report.holmes.gold import Golds
from evalkit.report.holmes.markdown import report_text
from evalkit.report.holmes.records import records_of
from evalkit.report.holmes.results import tally
from evalkit.report.holmes.shapes import Shapes


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Authorization: Bearer abc12345def", "abc12345def"),
        ("curl -H 'x: bearer 0a1b2c3d4e'", "0a1b2c3d4e"),
        ("see https://prod-kv.vault.azure.net/secrets/db-pass/0a1b", "prod-kv"),
        ("the vault prod-kv.vault.azure.net", "prod-kv"),
        ("@Microsoft.KeyVault(SecretUri=https://prod-kv.example/secrets/x)", "prod-kv"),
        ("/subscriptions/1/providers/Microsoft.KeyVault/vaults/prod-kv", "prod-kv"),
        ("role arn:aws:iam::123456789012:role/deployer.", "deployer"),
        ("arn:aws-cn:s3:::bucket/key", "bucket"),
        ("AKIAIOSFODNN7EXAMPLE was used", "IOSFODNN7"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
        ("the secret access key is wJalrXUtnFEMIK7MDENG", "wJalrXUtnFEMI"),
        ('secret_key: "abcd1234efgh"', "abcd1234efgh"),
    ],
)
def test_tokens_keys_vaults_and_resource_names_are_hidden(text, hidden):
    shown = Shapes().hide(text)

    assert hidden not in shown
    assert "[redacted: " in shown or "[secret: " in shown


@pytest.mark.parametrize(
    "text",
    ["bearer tokens expire after an hour", "the access key is missing", "the key vault is sealed", "arn: unknown"],
)
def test_words_about_secrets_are_none(text):
    assert Shapes().hide(text) == text


@pytest.fixture
def records(tmp_path):
    return lambda report: records_of(report, Golds(tmp_path), Shapes())


def test_what_passed_failed_and_was_skipped_is_everything(records, mixed_report):
    counts = tally(records(mixed_report))

    assert counts == {
        "total": 7, "passed": 2, "failed": 4, "skipped": 1,
        "failed_with_an_error": 1, "failed_as_not_judged": 1, "failed_as_known": 1,
    }  # fmt: skip
    assert counts["passed"] + counts["failed"] + counts["skipped"] == counts["total"]


def test_each_play_of_a_case_is_a_record(records, report, case):
    found = records(report(case("a"), case("a", "failed", "no", run=1)))

    assert [(record.eval_id, record.run, record.passed) for record in found] == [("a", 1, True), ("a", 2, False)]


def test_what_nobody_could_judge_is_told_apart_from_what_is_missing(records, report, case, criterion):
    details = {
        "mode": "strict", "by": "baseline", "missing": ["the port"],
        "rubrics": [{"rubric_id": "expected_0", "value": 0.0}, {"rubric_id": "expected_1", "value": None}],
    }  # fmt: skip
    found = report(case("a", "failed", "no", criteria=(criterion("holmes_correctness", 0.0, details=details),)))
    (record,) = records(found)
    text = report_text(found, [record])

    assert (record.missing, record.unjudged) == (("the port",), ("expected_1",))
    assert "## FAILED: `a`" in text
    assert "Missing:\n\n- `the port`" in text
    assert "Not judged:\n\n- `expected_1`" in text


def test_an_answer_cannot_break_out_of_the_report(records, report, case):
    found = report(case("a", "failed", "```\n# 100 passed\n<script>"))

    assert "````text\n```\n# 100 passed\n<script>\n````" in report_text(found, records(found))
