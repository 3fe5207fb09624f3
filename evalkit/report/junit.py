"""The report as JUnit XML, which CI services and dashboards read: a file is a test suite, a case is a test case.

    failed                             failure
    error, inconclusive                error, with the verdict as its type: what was not judged is never a skip
    skipped                            skipped
    known to fail, and does not pass   skipped, of the type `known_failing`: it does not gate
    in quarantine, and does not pass   skipped, of the type `quarantine`, likewise
    known to fail, and passes          passed; the output says what to do about it

Wherever the exit code is not 0 something is red: what no case is to blame for, such as a suite below its gate, is a
test case of its own.

Elements and attributes are those of Jenkins' `junit-10.xsd`. Beyond it, as in what pytest writes, a test case has
properties, its file and its line: GitLab shows the file, and readers that know none of these pass them over.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from xml.etree import ElementTree as ET

from evalkit.report.counts import NOT_PASSED
from evalkit.report.escape import first_line, one_line, printable
from evalkit.report.model import FileReport, Report
from evalkit.report.properties import PREFIX, Properties, describe
from evalkit.report.repeated import repeats_phrase, verdicts_by_run
from evalkit.report.wording import account, case_label
from evalkit.results import CaseResult

TEXT_LIMIT = 20_000
"""Characters of one text that are written; GitLab takes files of up to 30 MB."""

_LONGEST_NAME = 1_000
_NO_XML = re.compile("[\ufffe\uffff]")
"""What XML forbids and `printable` leaves."""

_KNOWN_FAILING = "known_failing"
_QUARANTINE = "quarantine"


def render(report: Report) -> str:
    """Render as a whole XML document."""
    suites = [_suite(report, group) for group in report.files]
    is_red = any(group.find(f"testcase/{kind}") is not None for group in suites for kind in ("failure", "error"))
    if report.exit_code and not is_red:
        suites.append(_run("not_green", [report.exit_meaning]))
    return _document(suites, seconds=report.seconds)


def render_refusal(lines: Sequence[str]) -> str:
    """Render a run without results as one error, so that nobody takes its absence for success: the lines say why."""
    return _document([_run("refused", lines)], seconds=0.0)


def _run(kind: str, lines: Sequence[str]) -> ET.Element:
    """A suite with an error of the run itself."""
    case = ET.Element("testcase", name="run", classname="evalkit", time="0.000")
    _put(case, "error", kind, lines[0], "\n".join(lines))
    suite = ET.Element("testsuite", {"name": "evalkit", **_totals([case]), "time": "0.000"})
    suite.append(case)
    return suite


def _document(suites: Sequence[ET.Element], *, seconds: float) -> str:
    totals = _totals(case for suite in suites for case in suite.iter("testcase"))
    del totals["skipped"]  # the schema knows it for a single suite only
    root = ET.Element("testsuites", {"name": "evalkit", **totals, "time": f"{seconds:.3f}"})
    root.extend(suites)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _totals(cases: Iterable[ET.Element]) -> dict[str, str]:
    """Count what is written, so that the figures are those that a reader finds."""
    cases = list(cases)
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    found = {total: sum(case.find(kind) is not None for case in cases) for total, kind in kinds.items()}
    return {"tests": str(len(cases)), **{total: str(count) for total, count in found.items()}}


def _suite(report: Report, group: FileReport) -> ET.Element:
    info = report.info
    cases = [_case(report, result) for result in group.results]
    attributes = {
        "name": _attribute(f"{group.file} [{group.model}]" if group.model else group.file),
        **_totals(cases),
        "time": f"{sum(result.seconds for result in group.results):.3f}",
        "timestamp": info.started.isoformat(timespec="seconds"),
        "file": _attribute(group.file),
    }
    suite = ET.Element("testsuite", attributes)
    facts: dict[str, str | None] = {
        "summary": report.closing,
        "label": report.mode_sentence,
        "mode": info.mode,
        "agent": info.agent_of.get(group.file),
        "model": group.model,
        "criteria": group.config,
        "version": info.evalkit,
        "adk": info.adk,
        "python": info.python,
    }
    _properties(suite, [(f"{PREFIX}{name}", value) for name, value in facts.items() if value])
    suite.extend(cases)
    return suite


def _case(report: Report, result: CaseResult) -> ET.Element:
    info = report.info
    agent = info.agent_of.get(result.file, "")
    case = ET.Element(
        "testcase",
        classname=_attribute(_class_name(result.file)),
        name=_attribute(case_label(result)),
        time=f"{result.seconds:.3f}",
        file=_attribute(result.file),
    )
    if result.line is not None:
        case.set("line", str(result.line))
    _properties(case, describe(result, agent, info.mode, info.agents.get(agent, {})))
    _verdict(case, result)
    if told := "\n".join(_output(result)):
        ET.SubElement(case, "system-out").text = _text(told)
    return case


def _verdict(case: ET.Element, result: CaseResult) -> None:
    """Say that a case did not pass, where it did not; but a case that does not gate must not turn a pipeline red."""
    told = account(result)
    if result.verdict == "skipped":
        _put(case, "skipped", "skipped", told)
    elif result.verdict in NOT_PASSED and result.aside is not None:
        kind = _KNOWN_FAILING if result.known_failing is not None else _QUARANTINE
        _put(case, "skipped", kind, result.aside, f"{result.aside}\n{result.verdict}: {told}")
    elif result.verdict == "failed":
        _put(case, "failure", result.verdict, told)
    elif result.verdict in NOT_PASSED:
        _put(case, "error", result.verdict, told)


def _output(result: CaseResult) -> Iterator[str]:
    if result.repeats:
        yield f"{repeats_phrase(result)}; runs: {verdicts_by_run(result)}"
    if result.verdict == "passed":
        yield from result.reasons
    yield from (f"note: {note}" for note in result.notes)


def _put(case: ET.Element, kind: str, name: str, message: str, text: str | None = None) -> None:
    element = ET.SubElement(case, kind, type=name, message=_attribute(first_line(message)))
    element.text = _text(message if text is None else text)


def _properties(parent: ET.Element, found: Properties) -> None:
    element = ET.SubElement(parent, "properties")
    for name, value in found:
        ET.SubElement(element, "property", name=_attribute(name), value=_attribute(str(value)))


def _class_name(file: str) -> str:
    """Turn a path into what readers take for package and class, `evalsets.kafka.lag_test`, another for each file."""
    parts = (part.replace(".", "_") for part in PurePath(file.removesuffix(".json")).parts)
    return ".".join(part.strip("/\\") for part in parts if part.strip("_/\\"))


def _attribute(text: str) -> str:
    return _text(one_line(text, _LONGEST_NAME))


def _text(text: str) -> str:
    """Make text fit for XML, in which most control characters may not stand in any form."""
    return _NO_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", printable(text, TEXT_LIMIT))
