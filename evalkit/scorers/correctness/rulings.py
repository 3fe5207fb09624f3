"""What can be said about gold without a judge.

Sections, and whether the answer is JSON, are facts. Expected texts are looked for; that is the *deterministic
baseline*, and it says so wherever it speaks: who writes `out of memory` means an answer with `OOMKilled`, too, and only
a judge knows. So the baseline decides about plain texts alone, and leaves open what needs a judge, and what an answer
says only to deny it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalkit.gold import Gold
from evalkit.matching import show
from evalkit.scorers.correctness.sections import section
from evalkit.scorers.correctness.wording import look_for
from evalkit.scorers.rubrics.checks import Ruling
from evalkit.scorers.rubrics.effective import Rubric

BASELINE = "the deterministic baseline"
"""Who says so, where no judge was asked."""

NEEDS_JUDGE = "only a judge can decide it: it is negated, instructs a judge, leaves alternatives or has several lines"

_DENIED = "the answer has these words, but only to deny them, as it seems; only a judge can tell"
_CALLS = "it is not in the answer, and only a judge can tell whether the calls show it"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that gold expects: the texts that stand for it, the rubric a judge is asked, and what is known of it.

    Attributes:
        ruling: What is said without a judge.
        fixed: Whether that is a fact, about which no judge is asked.
    """

    rubric: Rubric
    texts: tuple[str, ...]
    ruling: Ruling
    fixed: bool = False


def items_of(gold: Gold, output: str, answer: str) -> tuple[Item, ...]:
    """List all that gold expects.

    Args:
        gold: What is expected.
        output: The text in which expected texts are looked for.
        answer: The final answer, whose sections and form are looked at.
    """
    return (*_expected(gold, output), *_sections(gold, answer), *_form(gold, answer))


def _expected(gold: Gold, output: str) -> Iterator[Item]:
    groups = [(text,) for text in gold.expected] if gold.mode == "strict" else [gold.expected]
    for rubric, texts in zip(gold.rubrics, groups, strict=False):
        ruling = (
            Ruling(value=None, reason=NEEDS_JUDGE, by=BASELINE) if rubric.needs_judge else _found(gold, texts, output)
        )
        yield Item(Rubric(id=rubric.rubric_id, text=rubric.text), texts, ruling)


def _found(gold: Gold, texts: Sequence[str], output: str) -> Ruling:
    """Rule about texts of which one must be in the output."""
    findings = [look_for(text, output) for text in texts]
    if "found" in findings:
        return Ruling(value=1.0, reason=f"{show(texts[findings.index('found')])} is in the answer", by=BASELINE)
    if "denied" in findings:
        return Ruling(value=None, reason=_DENIED, by=BASELINE)
    if gold.include_tool_calls:
        return Ruling(value=None, reason=_CALLS, by=BASELINE)
    reason = "the text is not in the answer" if len(texts) == 1 else f"none of {len(texts)} texts is in the answer"
    return Ruling(value=0.0, reason=reason, by=BASELINE)


def _sections(gold: Gold, answer: str) -> Iterator[Item]:
    for title, wanted in gold.sections.items():
        inside = section(answer, title)
        if wanted is False:
            text, faults = f"no section {show(title)}", [] if inside is None else ["there is one"]
            texts: tuple[str, ...] = ()
        else:
            text, texts = f"the section {show(title)} contains what it must", wanted
            faults = list(_lacking(inside, wanted))
        ruling = Ruling(value=0.0 if faults else 1.0, reason="\n".join(faults))
        yield Item(Rubric(id=f"section {title}", text=text), texts, ruling, fixed=True)


def _lacking(inside: str | None, wanted: Sequence[str]) -> Iterator[str]:
    if inside is None:
        yield "the answer has no such section"
        return
    yield from (f"{show(text)} is not in it" for text in wanted if text not in inside)


def _form(gold: Gold, answer: str) -> Iterator[Item]:
    if not gold.json_answer:
        return
    try:
        json.loads(answer)
        ruling = Ruling(value=1.0)
    except ValueError as error:
        ruling = Ruling(value=0.0, reason=f"it is not JSON: {error}")
    yield Item(Rubric(id="json_answer", text="the final answer is JSON"), (), ruling, fixed=True)
