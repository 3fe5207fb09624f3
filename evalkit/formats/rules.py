"""Every rule that a problem can name, in one table."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalkit.errors import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of problem.

    Attributes:
        name: In kebab case, stable across versions.
        about: What it finds and why that matters, in a sentence or two.
        severity: How bad it is: an error means that ADK refuses the file, or that nothing, or something else than
            meant, would be judged.
        at_key: Whether the problem is shown at the key instead of at its value.
    """

    name: str
    about: str
    severity: Severity = "error"
    at_key: bool = False


RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (
        # The file and its text
        Rule("unreadable-file", "The file cannot be read."),
        Rule("bad-encoding", "The file is not UTF-8 without a byte order mark, the only encoding that ADK reads."),
        Rule("bad-json", "The file is not JSON, so ADK cannot read it."),
        Rule(
            "bad-yaml", "The file is not YAML, or uses what JSON cannot say, such as dates and keys that are no text."
        ),
        Rule("too-deep", "Values are nested deeper than ADK's JSON parser reads."),
        Rule(
            "duplicate-key", "An object has the same key twice, also in two spellings; one would be lost.", at_key=True
        ),
        Rule("wrong-kind", "The file is of another kind than its name says or its place needs."),
        Rule("legacy-form", "The evalset has one of the two list forms that ADK used before its evalset schema."),
        # The shape of the values
        Rule(
            "unknown-key",
            "A key that nothing reads; ADK refuses it here, or a key that is missing was meant.",
            at_key=True,
        ),
        Rule(
            "unread-key",
            "A key that ADK takes in and never reads, so what it says has no effect.",
            "warning",
            at_key=True,
        ),
        Rule(
            "misspelt-key",
            "A key that ADK takes in and never reads, spelled almost like one that it reads: what it says has no effect.",
            at_key=True,
        ),
        Rule("missing-key", "A key that must be there is not."),
        Rule("wrong-type", "A value has another type than its key needs."),
        Rule("wrong-value", "A value has the right type and cannot be used."),
        Rule("too-many-faults", "A file has so many faults that only the first are described."),
        # Evalsets
        Rule("no-cases", "An evalset without cases judges nothing."),
        Rule("no-turns", "A conversation without turns judges nothing; ADK's AgentEvaluator even calls it passed."),
        Rule("conversation-or-scenario", "A case has both a conversation and a scenario, or neither; ADK refuses it."),
        Rule("duplicate-id", "Two cases of a file have the same id; ADK refuses the set when it is run."),
        Rule("unsafe-set-id", "The set's id cannot be part of a file name; ADK fails when it saves the results."),
        Rule("expect-length", "`evalkit.expect` has another number of entries than the conversation has turns."),
        Rule("bad-pattern", "A matcher in `expect`, in a mock or in `final_session_state` is not one."),
        Rule("missing-mocks", "A case names a mocks file that is not there."),
        Rule("adk-cannot-play", "A turn that evalkit plays and plain `adk eval` does not.", "note"),
        # Eval configs
        Rule("no-criteria", "A config without criteria judges nothing; ADK's AgentEvaluator even calls it passed."),
        Rule(
            "unknown-metric",
            "A criterion names a metric that neither ADK nor evalkit nor the config defines.",
            at_key=True,
        ),
        Rule(
            "not-a-gate", "ADK's informational metrics take no threshold and fail when they are given one.", at_key=True
        ),
        Rule("criterion-judges-nothing", "A gating criterion compares with something that no case of the file has."),
        Rule("missing-rubrics", "A metric that works by rubrics has none, neither in the config nor in the cases."),
        Rule(
            "odd-threshold",
            "A threshold is so high that its metric never passes, or so low that it always does.",
            "warning",
        ),
        # Mocks files
        Rule(
            "unread-file", "A folder has more than one mocks file; the first answers, the others do nothing.", "warning"
        ),
        Rule("no-reply", "A route has no reply to give."),
        Rule("many-replies", "A route has more than one kind of reply; only one can answer."),
        Rule("missing-reply-file", "A `returns_file` is not there, or cannot be read."),
        Rule("outside-folder", "A file that is named lies outside the folder of the file that names it."),
    )
}
