"""What an answer is judged by, kept apart from the case: read only after the answer is there.

Plain values without I/O; `formats.gold` reads and writes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

GoldMode = Literal["strict", "loose"]
"""Whether each expected text must be in the answer, or the answer must match all of them together."""

RubricType = Literal["FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY"]
"""What a judge looks at: the answer, or the calls and their replies too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRubric:
    """One thing that must hold of an answer.

    Attributes:
        text: The property, in one line.
        needs_judge: Whether looking for the text in the answer says nothing about it.
    """

    rubric_id: str
    text: str
    type: RubricType = "FINAL_RESPONSE_QUALITY"
    needs_judge: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What is expected of the answer to one case.

    Attributes:
        mode: How the expected texts count together.
        expected: The texts as their author wrote them.
        rubrics: In strict mode one for each expected text, in the same order; in loose mode one for all.
        include_tool_calls: Whether a judge sees the calls and what came back.
        sections: By title, the texts that a section of the answer must contain; False if there must be no such section.
        json_answer: Whether the final answer must be JSON.
        unread: Why it could not be read, if so; nothing else is then known of it.
    """

    mode: GoldMode = "strict"
    expected: tuple[str, ...] = ()
    rubrics: tuple[GoldRubric, ...] = ()
    include_tool_calls: bool = False
    sections: Mapping[str, tuple[str, ...] | Literal[False]] = field(default_factory=dict)
    json_answer: bool = False
    unread: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that an agent must not have seen before it answered."""
        inside = [text for wanted in self.sections.values() for text in wanted or ()]
        return tuple(dict.fromkeys([*self.expected, *(rubric.text for rubric in self.rubrics), *inside]))


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFile:
    """What one file says, by the id of the case."""

    file: str
    cases: Mapping[str, Gold] = field(default_factory=dict)
