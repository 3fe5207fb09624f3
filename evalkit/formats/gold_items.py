"""Expected texts, told apart by whether they can be looked for in an answer, and made into rubrics.

Authors of expectations write two kinds of text under one key: facts (`node selector mismatch`), and instructions to
whoever judges (`must mention the port`, `either of these is fine`). Only a fact can be looked for. The rules go by the
words alone and err on the side of a judge: taken for an instruction, a fact waits for a judge; taken for a fact, an
instruction would fail every answer.
"""

import re
from collections.abc import Sequence

from evalkit.gold import GoldMode, GoldRubric, RubricType

_VERB = (
    r"mention(?:e?s)?|suggests?|states?|says?|indicates?|includes?|identif(?:y|ies)|explains?|recommends?|quotes?"
    r"|points? (?:to|out)|summari[sz]es?|describes?|provides?|concludes?|tells?|proceeds?|uses?|executes?|shows?"
    r"|lists?|proposes?|acknowledges?|communicates?|advises?|clarif(?:y|ies)|contains?"
)
_SPEAKER = r"answer|output|response|result|reply|message|holmes(?:gpt)?|agent|assistant|model|llm"

_NEGATED = re.compile(r"\b(?:not?|never|none|neither|nor|cannot|without)\b|n['\u2019]t\b", re.IGNORECASE)
_DEMANDING = re.compile(
    r"\b(?:must|should|shall|needs? to|ha(?:s|ve) to|to pass|optionally|preferably|ideally|acceptable|sufficient"
    r"|good enough|ok(?:ay)? (?:if|to)|fine if|as long as|at least one of|any of|all of)\b",
    re.IGNORECASE,
)
_ADDRESSING = re.compile(
    rf"^\W*(?:{_VERB}|mentioning|including|may|(?:an? |the )?summary (?:of|with))\b"
    rf"|\b(?:{_SPEAKER}) (?:\w+ly )?(?:{_VERB}|does|did|finds?|calls?|checks?|asks?|reports?|notes?)\b",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"\b(?:either|or|alternatively)\b", re.IGNORECASE)
_APPROXIMATE = re.compile(
    r"\b(?:similar to|something like|(?:command|answer|output|text|message|phrases?|format) like|such as|for example"
    r"|e\.g|i\.e|etc|or so|in some form|the following|in whichever order|in any order)\b|\blike:|<[a-z][\w -]*>"
    r"|\.\.\.|…",
    re.IGNORECASE,
)
_RULES = (_NEGATED, _DEMANDING, _ADDRESSING, _ALTERNATIVE, _APPROXIMATE)


def needs_judge(text: str) -> bool:
    """Tell whether only a judge can say if an expected text holds: looking for it in the answer would say nothing.

    It does where the text is negated, instructs a judge, leaves alternatives, or has several lines.
    """
    return "\n" in text.strip() or any(rule.search(text) for rule in _RULES)


def one_line(text: str) -> str:
    """Write a text in one line, as ADK reads rubrics line by line."""
    return " ".join(text.split())


def build_rubrics(
    expected: Sequence[str], mode: GoldMode = "strict", *, include_tool_calls: bool = False
) -> tuple[GoldRubric, ...]:
    """Make the rubrics of a case: strict has one for each expected text, loose one for all together.

    A loose rubric needs a judge as soon as one of its texts does: what the others say is then not all.
    """
    kind: RubricType = "TOOL_USE_QUALITY" if include_tool_calls else "FINAL_RESPONSE_QUALITY"
    groups = [[text] for text in expected] if mode == "strict" else [expected] if expected else []
    return tuple(
        GoldRubric(
            rubric_id=f"expected_{index}",
            text=one_line("\n".join(texts)),
            type=kind,
            needs_judge=any(map(needs_judge, texts)),
        )
        for index, texts in enumerate(groups)
    )
