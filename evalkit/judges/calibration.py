"""Is a judge to be trusted? Its verdicts beside those of people, on the same answers.

A file of labelled answers is JSON, a list or `{"items": […]}`, or JSON Lines, one answer each:

    {"user": "How far is orders behind?", "answer": "It is 75 behind.",
     "tool_calls": [{"tool": "get_lag", "arguments": {"group": "orders"}, "returned": {"lag": 75}}],
     "rubrics": [{"rubric_id": "names_the_lag", "rubric_content": {"text_property": "…"}, "label": "yes"}]}

With `reference` and a `label` of its own an answer is judged as by `final_response_match_v2`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalkit.cases import Json
from evalkit.errors import InputError
from evalkit.formats.expect import read_rubrics
from evalkit.judges.kinds import JudgeChoice
from evalkit.judges.panel import Ask, Panel, silently
from evalkit.judges.questions import Question, question
from evalkit.matching import show
from evalkit.scorers.rubrics.effective import MATCH_ID, MATCH_RUBRIC, Rubric
from evalkit.stats import Interval, cohens_kappa, wilson

_LABELS: Mapping[Any, bool] = {"yes": True, "no": False, True: True, False: False}
_KEYS = frozenset({"id", "user", "answer", "tool_calls", "earlier_turns", "reference", "rubrics", "label"})


@dataclass(frozen=True, slots=True)
class Labelled:
    """An answer, and what people say of it: its place in the file, and a label for each rubric."""

    place: str
    question: Question
    labels: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Compared:
    """One label, and the judge's verdict beside it; None, with its reason, where there is none."""

    place: str
    rubric_id: str
    label: bool
    verdict: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a judge agrees with people; figures are over the labels that it gave a verdict on."""

    judge: str
    samples: int
    compared: tuple[Compared, ...]

    @property
    def judged(self) -> tuple[Compared, ...]:
        """The labels that it gave a verdict on."""
        return tuple(one for one in self.compared if one.verdict is not None)

    @property
    def unjudged(self) -> tuple[Compared, ...]:
        """The labels that it gave none on."""
        return tuple(one for one in self.compared if one.verdict is None)

    @property
    def disagreements(self) -> tuple[Compared, ...]:
        """Where it says otherwise than people."""
        return tuple(one for one in self.judged if one.verdict is not one.label)

    def count(self, *, label: bool, verdict: bool | None) -> int:
        """Count the labels of one kind that have a verdict of one kind."""
        return sum(1 for one in self.compared if one.label is label and one.verdict is verdict)

    @property
    def accuracy(self) -> tuple[int, int]:
        """How many verdicts are as people say, of how many."""
        return len(self.judged) - len(self.disagreements), len(self.judged)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is not defined."""
        return cohens_kappa(
            self.count(label=True, verdict=True),
            self.count(label=True, verdict=False),
            self.count(label=False, verdict=True),
            self.count(label=False, verdict=False),
        )

    @property
    def false_passes(self) -> tuple[int, int]:
        """How many answers it passes that people do not, of how many that people do not and it judged."""
        passed = self.count(label=False, verdict=True)
        return passed, passed + self.count(label=False, verdict=False)

    @property
    def false_failures(self) -> tuple[int, int]:
        """The same the other way round."""
        failed = self.count(label=True, verdict=False)
        return failed, failed + self.count(label=True, verdict=True)


def interval(share: tuple[int, int]) -> Interval | None:
    """Return Wilson's interval of a share; None of nothing."""
    return wilson(*share) if share[1] else None


async def calibrate(
    items: Sequence[Labelled],
    judge: str,
    panel: Panel,
    *,
    samples: int = 1,
    tell: Callable[[int, int], None] = silently,
) -> Agreement:
    """Have a judge decide what people have decided.

    Args:
        items: The labelled answers.
        judge: The judge's name.
        panel: Asks it.
        samples: How often it is asked each question; the majority counts.
        tell: Called with how many answers there are, and will be.
    """
    asks = [Ask(JudgeChoice.of(judge), item.question, samples) for item in items]
    rulings = await panel.rule(asks, tell)
    compared = []
    for item, ask in zip(items, asks, strict=True):
        for rubric_id, label in item.labels.items():
            ruling = rulings[ask][rubric_id]
            verdict = None if ruling.value is None else ruling.value == 1
            compared.append(Compared(item.place, rubric_id, label, verdict, ruling.reason))
    return Agreement(judge, samples, tuple(compared))


def read_labelled(path: Path) -> tuple[Labelled, ...]:
    """Read a file of labelled answers.

    Raises:
        InputError: It cannot be read, or an item in it is none.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    items = tuple(_labelled(place, item) for place, item in _items(path, text))
    if not items:
        raise InputError(f"{path}: has no labelled answers")
    return items


def _items(path: Path, text: str) -> Iterator[tuple[str, Json]]:
    try:
        value = json.loads(text)
    except ValueError as error:
        if text.count("\n{") == 0 and not text.startswith("{"):
            raise InputError(f"{path}: is neither JSON nor JSON Lines: {error}") from error
        yield from _lines(path, text)
        return
    items = value.get("items", [value]) if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise InputError(f"{path}: expected a list of labelled answers, found {show(items, 80)}")
    yield from ((f"{path}: item {number}", item) for number, item in enumerate(items, start=1))


def _lines(path: Path, text: str) -> Iterator[tuple[str, Json]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield f"{path}:{number}", json.loads(line)
            except ValueError as error:
                raise InputError(f"{path}:{number}: is not JSON: {error}") from error


def _labelled(place: str, item: Json) -> Labelled:
    if not isinstance(item, dict) or not isinstance(item.get("answer"), str):
        raise InputError(f"{place}: expected an object with an answer, found {show(item, 80)}")
    unknown = sorted(item.keys() - _KEYS)
    if unknown:
        raise InputError(f"{place}: unknown key {unknown[0]!r}; known keys: {', '.join(sorted(_KEYS))}")
    labels = dict(_labels(place, item))
    if not labels:
        raise InputError(f'{place}: has no label; write "label": "yes" in each rubric, or beside a reference')
    material = {key: item[key] for key in ("earlier_turns", "user", "tool_calls") if key in item}
    material["final_answer"] = item["answer"]
    if "reference" in item:
        material["reference_answer"] = item["reference"]
    texts = [_rubric(place, rubric) for rubric in item.get("rubrics", ())]
    asked = [MATCH_RUBRIC] if "label" in item else []
    return Labelled(place, question(material, [*texts, *asked]), labels)


def _labels(place: str, item: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    if "label" in item:
        if "reference" not in item:
            raise InputError(f"{place}: the label has no reference to be about; put it into a rubric")
        yield MATCH_ID, _label(place, item["label"])
    for rubric in item.get("rubrics", ()):
        yield _rubric(place, rubric).id, _label(place, rubric.get("label"))


def _rubric(place: str, given: Json) -> Rubric:
    try:
        (rule,) = read_rubrics([{key: value for key, value in given.items() if key != "label"}])
        text = rule.rubric_content["text_property"]
    except (AttributeError, LookupError, TypeError) as error:
        form = '{"rubric_id": "…", "rubric_content": {"text_property": "…"}, "label": "yes"}'
        raise InputError(f"{place}: expected a rubric as {form}, found {show(given, 80)}") from error
    return Rubric(id=rule.rubric_id, text=text)


def _label(place: str, given: Json) -> bool:
    word = given.strip().lower() if isinstance(given, str) else given
    if not isinstance(word, str | bool) or word not in _LABELS:
        raise InputError(f'{place}: a label is "yes" or "no", found {show(given)}')
    return _LABELS[word]
