"""The records for people: `report.md` and `latest-results.md`."""

from collections.abc import Iterator, Sequence
from datetime import UTC

from evalkit.report.escape import code_span, fenced
from evalkit.report.holmes.records import OUTPUT_LIMIT, TRUNCATED, Record
from evalkit.report.holmes.results import tally
from evalkit.report.model import Report
from evalkit.report.wording import duration

_ROOM = OUTPUT_LIMIT + len(TRUNCATED) + 1


def report_text(report: Report, records: Sequence[Record]) -> str:
    """Render `report.md`."""
    return "\n\n".join([*_head(report, records), *(part for record in records for part in _section(record))]) + "\n"


def latest_text(report: Report, records: Sequence[Record], file: str) -> str:
    """Render `latest-results.md`, which points at the report `file` beside it."""
    return f"# Latest results\n\n[Evaluation of {_date(report)}]({file}): {_counted(records)}.\n"


def _head(report: Report, records: Sequence[Record]) -> Iterator[str]:
    yield f"# Evaluation of {_date(report)}"
    yield f"**{_counted(records)}**"
    lines = [f"- Mode: {code_span(report.info.mode)}" + (f" ({report.mode_sentence})" if report.mode_sentence else "")]
    lines += [
        f"- Agent {code_span(agent)}: {', '.join(map(code_span, dict.fromkeys(models.values())))}"
        for agent, models in report.info.agents.items()
    ]
    yield "\n".join(lines)


def _date(report: Report) -> str:
    return f"{report.info.started.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _counted(records: Sequence[Record]) -> str:
    """Write the counts: `3 passed, 2 failed (1 with an error, 1 not judged), 1 skipped`."""
    counts = tally(records)
    of_failed = [
        f"{counts[key]} {word}"
        for key, word in (
            ("failed_with_an_error", "with an error"),
            ("failed_as_not_judged", "not judged"),
            ("failed_as_known", "known to fail"),
        )
        if counts[key]
    ]
    told = f" ({', '.join(of_failed)})" if of_failed else ""
    return f"{counts['passed']} passed, {counts['failed']} failed{told}, {counts['skipped']} skipped"


def _section(record: Record) -> Iterator[str]:
    repeat = f", run {record.run}" if record.run > 1 else ""
    model = f" with {code_span(record.model)}" if record.model else ""
    yield f"## {_status(record)}: {code_span(record.eval_id)}{repeat}{model}"
    facts = [f"- Mode: {record.mode}"] if record.mode else []
    if record.path:
        facts.append(f"- Fixture: {code_span(record.path)}")
    if record.skip_reason:
        facts.append(f"- Skipped: {code_span(record.skip_reason)}")
    if record.known_failing is not None:
        facts.append(f"- Known to fail: {code_span(record.known_failing)}")
    facts += _how(record)
    if facts:
        yield "\n".join(facts)
    yield "Prompt:"
    yield fenced(record.prompt, _ROOM)
    yield from _elements("Expected", record.expected)
    if record.skipped:
        return
    yield "Answer:"
    yield fenced(record.output, _ROOM) if record.output else "(none)"
    yield from _elements("Missing", record.missing)
    yield from _elements("Not judged", record.unjudged)
    if record.reasons and not record.passed:
        yield "Why:"
        yield fenced("\n".join(record.reasons))


def _status(record: Record) -> str:
    if record.passed or record.skipped:
        return record.verdict.upper()
    return "FAILED" if record.verdict == "failed" else f"FAILED ({_WORDS.get(record.verdict, record.verdict)})"


_WORDS = {"inconclusive": "not judged", "error": "error"}


def _how(record: Record) -> Iterator[str]:
    if record.skipped:
        return
    calls = f"{record.tool_calls} tool call{'' if record.tool_calls == 1 else 's'}"
    by = f"; judged by the {record.judged_by}" if record.judged_by else ""
    yield f"- Took: {duration(record.seconds)}, {calls}{by}"
    if record.answered_at and record.scored_at:
        yield f"- Answered {record.answered_at.isoformat()}, scored {record.scored_at.isoformat()}"
    if record.working_directory:
        yield f"- Working directory: {code_span(record.working_directory)}"
    if record.files_created:
        yield f"- Files created: {', '.join(map(code_span, record.files_created))}"
    if record.exposed:
        yield f"- Expected texts could be read in: {', '.join(map(code_span, record.exposed))}"


def _elements(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield f"{title}:"
        yield "\n\n".join(fenced(text) if "\n" in text.strip() else f"- {code_span(text.strip())}" for text in texts)
