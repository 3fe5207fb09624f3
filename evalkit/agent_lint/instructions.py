"""Tools that an instruction orders and an expectation lacks: the model follows its instruction, so it calls them.

Orders without a condition count: "Always start with get_overview", "First call get_overview", "Before anything else,
call whoami"; and those on an occasion that is the call of a tool: "Before you scale anything, call whoami". Any other
order in a bullet or paragraph that speaks of when or for what it holds, or under a heading that does, is one for some
requests, and nobody can tell from here for which.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalkit.agent_lint.occasions import occasion_in, tools_meant
from evalkit.agent_lint.problems import problem, shortened
from evalkit.agent_lint.scene import OwnedTurn, Scene
from evalkit.cases import Turn
from evalkit.errors import Problem
from evalkit.models.facts import Profile

_DOING = r"(?:call|calling|use|using|run|running|invoke|invoking|check|checking|query|querying|consult|consulting)"
_ORDER = re.compile(
    r"(?:^|[,:]\s*|\b(?:always|first|must|should|please)\s+)(?:start|begin)\s+(?:with|by)\b"
    rf"|\balways\s+(?:first\s+)?{_DOING}\b(?![^.;:]*\bto\b)"  # "always use X to measure lag" says how, not that
    rf"|\bfirst,?\s+(?:always\s+)?{_DOING}\b"
    rf"|\b{_DOING}\b[^.;:]*\bfirst(?=\W*$|[,;])"
    r"|\bbefore\s+(?:you\s+do\s+)?(?:anything|everything|answering|doing\s+anything)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|while|once|after|in\s+case|in\s+which|for|about|asks?|asked|asking|requests?"
    r"|questions?|only|may|might|depending|instead|except|otherwise|either|or|not|never|don't|no|avoid)\b"
    r"|\bbefore\b(?!\s+(?:you\s+do\s+)?(?:anything|everything|answering|doing\s+anything))",
    re.IGNORECASE,
)
_ORDERED = re.compile(rf"(?:(?:you\s+)?(?:must|should)\s+|please\s+|always\s+|first\s+)*{_DOING}\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:then|next|finally)\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")


@dataclass(frozen=True, slots=True)
class Order:
    """A tool that an instruction orders, and the sentence that does it.

    Attributes:
        occasion: The tools whose calls it is to go with; None for every request.
    """

    tool: str
    sentence: str
    occasion: frozenset[str] | None = None


def ordered_tools_missing(scene: Scene) -> Iterator[Problem]:
    """Report each turn in which an agent acts without a tool that its instruction orders."""
    orders = {name: orders_of(profile) for name, profile in scene.facts.profiles.items()}
    called: set[str] = set()
    for owned_turn in scene.turns:
        named = _named(owned_turn.turn)
        made = {owned.call.name for owned in owned_turn.calls}
        called |= made
        for agent in dict.fromkeys(owned.owner for owned in owned_turn.calls if owned.owner):
            for order in orders.get(agent, ()):
                if order.tool not in called | named and (order.occasion is None or order.occasion & made):
                    yield _problem(scene, owned_turn, agent, order)
                    called.add(order.tool)  # said once a conversation


def orders_of(profile: Profile) -> tuple[Order, ...]:
    """Return the tools that an agent's instruction orders, for every request or with the call of another tool."""
    found: dict[str, Order] = {}
    for heading, block in _blocks(profile.instruction):
        for sentence in _SENTENCE_END.split(block):
            if not _CONDITION.search(heading) and (orders := _on_occasion(sentence, profile)):
                for order in orders:
                    found.setdefault(order.tool, order)
                continue
            if _CONDITION.search(heading) or _CONDITION.search(sentence):
                break  # what follows in the block may hang on it too
            ordered = _LATER.split(sentence, maxsplit=1)[0]
            if _ORDER.search(ordered):
                for tool in _tools_in(ordered, profile):
                    found.setdefault(tool, Order(tool, sentence))
    return tuple(found.values())


def _on_occasion(sentence: str, profile: Profile) -> list[Order]:
    """Return the tools that a sentence orders before or after the call of others."""
    occasion, ordered = occasion_in(sentence) or ("", "")
    if not _ORDERED.match(ordered) or _CONDITION.search(ordered) or _CONDITION.search(re.sub(r"\bor\b", "", occasion)):
        return []
    meant = tools_meant(occasion, profile.tools)
    tools = _tools_in(_LATER.split(ordered, maxsplit=1)[0], profile)
    return [Order(tool, sentence, meant - {tool}) for tool in tools if meant - {tool}]


def _tools_in(text: str, profile: Profile) -> list[str]:
    return [tool for tool in profile.tools if re.search(rf"(?<!\w){re.escape(tool)}(?!\w)", text)]


def _blocks(instruction: str) -> Iterator[tuple[str, str]]:
    """Yield each paragraph and bullet on one line, with the heading that it stands under."""
    heading, in_list = "", False
    for paragraph in re.split(r"\n\s*\n", instruction.replace("**", "")):
        for lines in _bullets(paragraph):
            text = " ".join(lines)
            is_bullet = bool(_BULLET.match(text))
            if in_list and not is_bullet:
                heading = ""  # the list under it is over
            in_list = is_bullet
            if text.startswith("#") or text.rstrip("*_").endswith(":"):
                heading, in_list = text, False
            else:
                yield heading, _BULLET.sub("", text)


def _bullets(paragraph: str) -> list[list[str]]:
    """Take a paragraph apart: before each bullet, and behind each line that ends with a colon."""
    found: list[list[str]] = []
    for line in paragraph.splitlines():
        text = line.strip()
        ended = not found or found[-1][-1].rstrip("*_").endswith(":") or found[-1][-1].startswith("#")
        if ended or _BULLET.match(line) or text.startswith("#"):
            found.append([text])
        else:
            found[-1].append(text)
    return [lines for lines in found if any(lines)]


def _named(turn: Turn) -> set[str]:
    """Name the tools that the expectation of a turn speaks of without requiring them."""
    rule = turn.expect.trajectory
    if rule is None:
        return set()
    patterns = (*rule.optional, *rule.blocked, *rule.worked, *(call for path in rule.any_of for call in path))
    return {*rule.args, *(call.name for call in patterns)}


def _problem(scene: Scene, owned_turn: OwnedTurn, agent: str, order: Order) -> Problem:
    message = (
        f'the instruction of {agent} says "{shortened(order.sentence)}", and the expectation has no call of'
        f" `{order.tool}`"
    )
    hint = (
        f'add {{"name": "{order.tool}", "args": {{…}}}}, or "evalkit":'
        f' {{"expect": [{{"trajectory": {{"optional": ["{order.tool}"]}}}}]}}'
    )
    return problem("ordered-tool", scene.file, f"{owned_turn.turn.where}.intermediate_data", message, hint)
