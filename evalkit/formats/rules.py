"""Every rule that a problem can name, in one table."""

from collections.abc import Mapping
from typing import NamedTuple

from evalkit.errors import Severity


class Rule(NamedTuple):
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
        Rule("other-kind", "The file is an input of another command of ADK's, so nothing of it is judged.", "note"),
        Rule(
            "legacy-form",
            "The evalset has one of the two list forms that ADK used before its evalset schema: a warning if one of "
            "ADK's two readers takes it, an error if both refuse it.",
            "warning",
        ),
        Rule(
            "camel-case",
            "The top keys of an evalset are in camelCase, which ADK reads in every place but there.",
            at_key=True,
        ),
        Rule(
            "old-keys",
            "A turn of today's evalset schema has keys of the old list form, which ADK refuses.",
            at_key=True,
        ),
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
            "A key that ADK never reads, spelled almost like one that it reads: what it says has no effect.",
            at_key=True,
        ),
        Rule(
            "misplaced-key",
            "A key of evalkit's stands where neither ADK nor evalkit reads it: what it says has no effect.",
            at_key=True,
        ),
        Rule("missing-key", "A key that must be there is not."),
        Rule("wrong-type", "A value has another type than its key needs."),
        Rule("wrong-value", "A value has the right type and cannot be used."),
        Rule("too-many-faults", "A file has so many faults that only the first are described."),
        Rule(
            "secret",
            "The file holds what looks like a key, a token or a password; whoever reads the file has it.",
            "warning",
        ),
        # Evalsets
        Rule("no-cases", "An evalset without cases judges nothing."),
        Rule("no-turns", "A conversation without turns judges nothing; ADK's AgentEvaluator even calls it passed."),
        Rule("conversation-or-scenario", "A case has both a conversation and a scenario, or neither; ADK refuses it."),
        Rule("duplicate-id", "Two cases of a file have the same id; ADK refuses the set when it is run."),
        Rule(
            "duplicate-set-id",
            "Two evalsets of a folder have the same set id; ADK refuses to run them together.",
        ),
        Rule("unsafe-set-id", "The set's id cannot be part of a file name; ADK fails when it saves the results."),
        Rule("expect-length", "`evalkit.expect` has another number of entries than the conversation has turns."),
        Rule("bad-pattern", "A matcher in `expect`, in a mock or in `final_session_state` is not one."),
        Rule(
            "bare-operator", "An operator in a pattern lacks its `$`, so an object with that key is wanted.", "warning"
        ),
        Rule(
            "contradiction",
            "What `expect` demands of a turn does not go with the turn's own calls or answer, so no run can meet both.",
            "warning",
        ),
        Rule(
            "idle-expectation",
            "A demand in `expect` is about calls that the turn does not have, so it changes nothing.",
            "warning",
        ),
        Rule("missing-mocks", "A case names a mocks file that is not there."),
        Rule("missing-gold", "A case names a gold file that is not there, or that says nothing about it."),
        Rule("reply-without-call", "A prior event holds a tool's reply to no call; ADK and models pair them by id."),
        Rule(
            "call-without-reply",
            "A prior event holds a call that no later one answers; most models refuse such a conversation.",
            "warning",
        ),
        Rule(
            "empty-message",
            "A turn in which the user says nothing: ADK plays it, and the model is sent an empty message.",
            "warning",
        ),
        Rule(
            "unread-call",
            "A call stands in an expected answer, where nothing compares it, and not among the expected calls.",
            "warning",
            at_key=True,
        ),
        Rule("adk-cannot-play", "A turn that evalkit plays and plain `adk eval` does not.", "note"),
        Rule(
            "missing-args",
            "An expected call says nothing of its arguments; in ADK it equals no actual call, not even one with `{}`.",
            "warning",
        ),
        Rule(
            "missing-reference",
            "A turn lacks what a criterion compares with: ADK judges it all the same, and evalkit leaves it out.",
            "warning",
        ),
        Rule("duplicate-rubric", "Two rubrics that apply to the same turn have the same id; ADK refuses to judge."),
        Rule(
            "adk-never-reads",
            "`final_session_state` is a key that ADK defines and reads nowhere; evalkit judges it.",
            "note",
            at_key=True,
        ),
        Rule(
            "undiscovered-name", "A file's name is one that ADK, or `evalkit check` of its folder, passes over.", "note"
        ),
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
        Rule(
            "misplaced-rubrics",
            "Rubrics stand beside the criteria, where nothing reads them, and the metric that needs them has none.",
            at_key=True,
        ),
        Rule(
            "unused-metric",
            "A config defines a metric that no criterion names, so it judges nothing.",
            "warning",
            at_key=True,
        ),
        Rule(
            "match-type-number",
            "A match type is given as a number, which ADK takes and no reader understands.",
            "warning",
        ),
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
        Rule(
            "shadowed-route", "A mocks route that never answers, since an earlier one takes all its calls.", "warning"
        ),
        Rule("misspelt-exception", "A mock raises an exception that is called almost like a built-in one.", "warning"),
        Rule("unread-reference", "A reply names a file by `$file`, which nothing reads in a mocks file.", "warning"),
        Rule("outside-folder", "A file that is named lies outside the folder of the file that names it."),
        # Gold files
        Rule("unread-gold", "A gold file, or what it says of a case, that no case asks for.", "warning"),
        # HolmesGPT's fixtures
        Rule(
            "no-prompt",
            "A HolmesGPT fixture asks nothing, so HolmesGPT passes over it without a word.",
        ),
        Rule("missing-include", "A file that a HolmesGPT fixture includes is not there; HolmesGPT drops the case."),
        Rule(
            "later-key",
            "A key of later versions of HolmesGPT than the one that replays recordings.",
            "note",
            at_key=True,
        ),
        Rule("unknown-tag", "A tag that is not on HolmesGPT's list, which HolmesGPT refuses.", "warning"),
        Rule("old-recording", "A recording without a line for the result, which ends HolmesGPT's test."),
        Rule("ignored-recording", "A file that is meant as a recording and that HolmesGPT cannot use, so it drops it."),
        Rule("misnamed-recording", "A recording under a name or in a folder where nothing looks for it.", "warning"),
        Rule(
            "misspelt-match",
            "A recording's `match_params` are misspelt, so that it answers every call of its tool.",
            "warning",
            at_key=True,
        ),
        Rule("literal-star", "A recording wants a literal `*`, once a wildcard, so that no call matches.", "warning"),
        Rule(
            "ambiguous-recordings",
            "Two recordings answer the same call with different results, and the order of files decides.",
            "warning",
        ),
        Rule("shadowed-recording", "A recording that never answers, since another answers all its calls.", "warning"),
        Rule("unreachable-recording", "A recording of a tool that HolmesGPT does not load.", "note"),
        # Against the agent (`check --agent`)
        Rule("unknown-tool", "A tool that no agent has, or not the agent that is said to call it."),
        Rule(
            "unknown-agent",
            "A route, a transfer, a recorded author or a mocks file names an agent that does not exist.",
        ),
        Rule(
            "misfit-arguments",
            "Arguments that the tool does not declare, needs and lacks, or declares with another type.",
        ),
        Rule(
            "unplayable-turn", "Nothing says which of several agents makes a call, or no transfer leads to that agent."
        ),
        Rule("missing-transfer", "A call of another agent stands without the transfer to it, which counts.", "warning"),
        Rule(
            "dead-route",
            "A mocks route for a tool, an agent or an argument that does not exist, so no call reaches it.",
            at_key=True,
        ),
        Rule("unanswered-call", "An expected call differs from all mocks of its tool, so a run misses it.", "warning"),
        Rule("misfit-pattern", "A pattern or a mock wants a value that the tool does not declare.", "warning"),
        Rule("misfit-toolset", "What stands under `toolsets:` in a mocks file does not fit the agent's toolsets."),
        Rule(
            "misspelt-app",
            "A case's session belongs to an app that is spelled almost as the agent is, and not so.",
            "warning",
        ),
        Rule(
            "unlisted-tool",
            "A tool or agent that cannot be listed without running or connecting something, so it is not checked.",
            "note",
        ),
        Rule(
            "misfit-reply",
            "A mock replies what the tool does not, going by its docstring or its return annotation.",
            "warning",
        ),
        Rule("placeholder-argument", "A literal `...` is expected as an argument, which no model passes.", "warning"),
        Rule(
            "value-from-nowhere",
            "An expected name, id or number stands in nothing that the model is told: it asks back, or guesses.",
            "warning",
        ),
        Rule(
            "stated-default",
            "The prompt states an argument that equals the tool's default; a model passes it, and it is not expected.",
            "warning",
        ),
        Rule("left-out-argument", "The prompt states an argument, which the expected call leaves out.", "warning"),
        Rule(
            "ordered-tool",
            "The instruction orders a tool, always or with an expected call, and the expectation has no call of it.",
            "warning",
        ),
        Rule(
            "prompt-between-tools",
            "The prompt names the subject of another tool, not that of the expected one, so a model may take either.",
            "warning",
        ),
        Rule(
            "no-own-model",
            "An agent without a model falls back to ADK's default, which nobody chose and which may not exist.",
            "warning",
        ),
    )
}

UNREADABLE = frozenset({"unreadable-file", "bad-encoding", "bad-json", "bad-yaml", "too-deep"})
"""The rules of files that cannot be read, of which nothing else is known; they cannot be switched off."""
