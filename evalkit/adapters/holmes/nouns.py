"""The nouns of HolmesGPT's fixtures, as they are read and before anything is made of them.

A *suite* is a folder of fixtures, a *fixture* a folder with one `test_case.yaml`, a *recording* what one tool answered
once, kept in a `.txt` file. A fixture gives one case, or one for each prompt of a list.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from evalkit.cases import Json
from evalkit.formats.holmes_recording import Recording

Kind = Literal["ask", "investigate", "workload_health", "unsupported"]
"""What makes the user's message: a prompt, an issue to investigate, a workload to check; or nothing that asks."""

Severity = Literal["info", "warn", "error"]

Status = Literal[
    "replayable",  # recordings answer, and nothing speaks against them
    "replayable_with_notes",  # recordings answer, and a note says what to know about them
    "mixed",  # recordings may answer for some toolsets only
    "needs_live",  # no recording may answer
    "unsupported",  # tests something that is no agent's turn
    "not_a_case",  # a folder without a test_case.yaml
    "error",  # cannot be used as it is
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that a conversion found, left out or decided.

    Attributes:
        code: Its stable name, a key of `notes.SEVERITIES`.
        severity: `warn` says that the case may not mean what its author meant; `error` that there is no case.
        message: What it is about here; never the expected output.
        file: The file of the fixture, if it is about one.
    """

    code: str
    severity: Severity
    message: str
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One folder of a suite, read.

    Attributes:
        suite: The suite's name.
        name: The folder's name.
        folder: Where it lies.
        case: What `test_case.yaml` says, texts verbatim; None if it cannot be used.
        recordings: In file order.
        history: The messages of the conversation before, as OpenAI's API writes them; None without one.
        sidecars: Other JSON files that HolmesGPT reads, by name.
        toolsets: What `toolsets.yaml` says of each toolset.
        runbooks: The text of each Markdown file of the folder, by name.
        golden: What `evalkit.golden.yaml` says, which is ours and which HolmesGPT ignores; None without one.
        files: The names of the files that a live setup may need: all but the case, recordings, history and gold.
        notes: What was found on the way.
    """

    suite: str
    name: str
    folder: Path
    case: Mapping[str, Any] | None = None
    recordings: tuple[Recording, ...] = ()
    history: tuple[Mapping[str, Any], ...] | None = None
    sidecars: Mapping[str, Json] = field(default_factory=dict)
    toolsets: Mapping[str, bool] = field(default_factory=dict)
    runbooks: Mapping[str, str] = field(default_factory=dict)
    golden: Json = None
    files: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def path(self) -> str:
        """The fixture among all: `suite/name`."""
        return f"{self.suite}/{self.name}"

    @property
    def kind(self) -> Kind:
        """What makes the user's message, decided as HolmesGPT's loader does: a prompt that is not empty wins."""
        if self.case and self.case.get("user_prompt"):
            return "ask"
        if "investigate_request.json" in self.sidecars:
            return "investigate"
        if "workload_health_request.json" in self.sidecars:
            return "workload_health"
        return "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to convert, where users may choose.

    Attributes:
        literal_star: Read `"*"` in a recording as that text, as HolmesGPT does since July 2025, and not as any value.
        null_matches_absent: Let a recorded null also match an argument that a call leaves out.
        response: `structured` keeps status, data and error apart; `holmes-text` is the text that HolmesGPT's model saw.
        profile: Whose rules for judging: HolmesGPT's own, or those of `self-answer`.
        inline_gold: Also write the rubrics into the evalset, for plain `adk eval`.
        expect_recorded: Expect the calls that recordings answered with success, which is a guess.
        joined_answer: Write the expected output, joined, as the golden answer.
    """

    literal_star: bool = False
    null_matches_absent: bool = False
    response: Literal["structured", "holmes-text"] = "structured"
    profile: Literal["holmes", "self-answer"] = "holmes"
    inline_gold: bool = False
    expect_recorded: bool = False
    joined_answer: bool = False
