"""Expected argument values that come from nowhere: the model could only guess them.

A value should stand in the prompt, in an earlier turn, in the session's state, in the instruction, in what the tool is
declared to take, or in an earlier reply of the conversation. Looked at are values that a model cannot make up: names
and ids, and numbers. Not looked at are free text, expressions, times and periods, which a model words itself (but see
`times`). After a call whose reply nothing tells, anything may come from that reply.
"""

import re
from collections.abc import Generator, Iterator
from decimal import Decimal
from itertools import groupby

from evalkit.agent_lint import words
from evalkit.agent_lint.arguments import is_placeholder
from evalkit.agent_lint.known import Known, as_number, schema_text
from evalkit.agent_lint.problems import below, leaves, problem, shortened
from evalkit.agent_lint.scene import OwnedCall, OwnedTurn, Scene
from evalkit.agent_lint.times import is_guessed_time
from evalkit.cases import Json
from evalkit.errors import Problem
from evalkit.formats.paths import JsonPath
from evalkit.models.tree import CONTROL_TOOLS

_THINGS = """
account app application bot branch broker bucket channel cluster collection component container customer database
dataset db deployment device env environment file folder group host id image index instance job key label machine member
name namespace node order owner path pod project queue region release repo repository resource room server service site
stack subnet system table tag team tenant topic uid user username uuid vm volume workspace zone
"""
_NAMING = frozenset(_THINGS.split())
"""Words in the names of arguments that take the name of a thing, which only its owner can tell."""

_MADE_UP = """
ago coordinates date day duration end epoch from hour interval last lat latitude lng lon long longitude minute month
period second since start step time timeout timestamp to until week window year
"""
_DERIVED = frozenset(_MADE_UP.split())
"""Words in the names of arguments whose numbers a model finds by itself: places, times and periods."""

_MEMORY_TOOLS = frozenset({"preload_memory", "load_memory"})
_FIRST_YEAR, _LAST_YEAR = 1900, 2100

_TIME = re.compile(r"(?:now.*|-?\d+\s?(?:ms|s|m|h|d|w|y|min|sec|hr)|\d{4}-\d\d(?:-\d\d)?.*|\d{1,2}:\d\d.*|PT?\d.*)")
_LOCALE = re.compile(r"[a-z]{2}[-_][A-Za-z]{2}")
_NAME = re.compile(r"[\w./:@#-]+")
_LETTERS = re.compile(r"[^\W\d]+(?:[_-][^\W\d]+)*")


def values_from_nowhere(scene: Scene) -> Iterator[Problem]:
    """Report each expected value that nothing tells the model."""
    if _knows_more(scene):
        return
    known = _known_before(scene)
    for owned_turn in scene.turns:
        user = owned_turn.turn.user
        if any(set(part) - {"text", "thought", "function_response"} for part in user.parts):
            return  # an image or a file may say anything
        known.add(user.text)
        for response in user.function_responses:
            known.add(response)
        complete = yield from _in_turn(scene, owned_turn, known)
        if not complete:
            return
        if owned_turn.turn.final:
            known.add(owned_turn.turn.final.text)


def _in_turn(scene: Scene, owned_turn: OwnedTurn, known: Known) -> Generator[Problem, None, bool]:
    """Report the values of one turn; return False once a reply is not known, from which the rest may come."""
    for _, together in groupby(owned_turn.calls, key=lambda owned: owned.moment):
        calls = list(together)
        for owned in calls:
            yield from _in_call(scene, owned_turn, owned, known)
        if not all(_add_reply(scene, owned, known) for owned in calls):
            return False
    return True


def _in_call(scene: Scene, owned_turn: OwnedTurn, owned: OwnedCall, known: Known) -> Iterator[Problem]:
    rule = owned_turn.turn.expect.trajectory
    replaced = rule.replaced(owned.call.name) if rule else frozenset()
    ignored = rule is not None and rule.args_match_for(owned.call.name) == "ignore"
    declared, tools = Known(), scene.fitting(owned)
    for tool in tools:
        declared.add(tool.docstring)
        declared.add(schema_text(tool.declaration.schema if tool.declaration else {}))
    for name, value in owned.call.args.items() if tools and not ignored else ():
        for path, leaf in leaves(value):
            if name not in replaced and (
                _comes_from_nowhere(name, leaf, known, declared)
                or all(is_guessed_time(scene, owned_turn, tool, name, leaf, known) for tool in tools)
            ):
                yield _problem(scene, owned_turn, owned, (name, *path), leaf)
    known.add(dict(owned.call.args))  # said once; what follows may repeat it


def _problem(scene: Scene, owned_turn: OwnedTurn, owned: OwnedCall, path: JsonPath, value: Json) -> Problem:
    shown = shortened(value)
    message = (
        f"`{owned.call.name}` is expected with `{path[0]}` {shown}, which nothing tells the model: it stands neither in"
        " the prompt, the state and the instruction nor in an earlier turn or reply"
    )
    prompt = shortened(owned_turn.turn.user.text) or "…"
    hint = f'say it in the prompt, such as "{prompt} ({path[0]}: {shown})"'
    return problem("value-from-nowhere", scene.file, below(f"{owned.call.where}.args", *path), message, hint)


def _comes_from_nowhere(argument: str, value: Json, known: Known, declared: Known) -> bool:
    asks_for = set(map(words.stem, words.parts(argument)))
    number = as_number(value)
    if number is not None:
        return _is_strange(number, asks_for) and not known.has_number(number) and not known.has_name(str(value))
    if not isinstance(value, str) or is_placeholder(value):
        return False
    if not _NAME.fullmatch(value) or _TIME.fullmatch(value) or _LOCALE.fullmatch(value):
        return False
    if not _LETTERS.fullmatch(value):
        return not known.has_name(value) and not declared.has_name(value)
    if not asks_for & _NAMING or not known.latin:
        return False
    said = known.has_word(value) if value.isalpha() else known.has_name(value)
    return not said and not declared.has_name(value)


def _is_strange(number: Decimal, asks_for: set[str]) -> bool:
    """Tell whether a number is none that a model picks by itself, as it does 0, 1, a year, a place and a time."""
    if abs(number) in (0, 1) or asks_for & _DERIVED:
        return False
    return not _FIRST_YEAR <= number <= _LAST_YEAR


def _knows_more(scene: Scene) -> bool:
    """Tell whether an agent is told or shown things that no file says."""
    profiles = scene.facts.profiles.values()
    told = any(profile.told_at_run_time or "{artifact." in profile.instruction for profile in profiles)
    return told or any(_MEMORY_TOOLS & profile.tools.keys() for profile in profiles)


def _known_before(scene: Scene) -> Known:
    known = Known()
    for profile in scene.facts.profiles.values():
        known.add(profile.instruction)
    if session := scene.case.session:
        known.add(dict(session.state))
        for name in (session.user_id, session.session_id, session.app_name):
            known.add(name or "")
    for event in scene.case.prior_events:
        known.add([dict(part) for part in event.content.get("parts") or ()])
    return known


def _add_reply(scene: Scene, owned: OwnedCall, known: Known) -> bool:
    """Add what a call is answered with; False if nothing tells that."""
    name = owned.call.name
    if name in CONTROL_TOOLS:
        return True
    recorded = [reply for turn in scene.case.turns or () for reply in turn.replies if reply.name == name]
    for said in recorded:
        known.add(dict(said.response))
    routes = [
        route
        for mocks in scene.mocks
        for route in mocks.routes
        if route.tool == name and route.agent in (None, owned.owner)
    ]
    for reply in (reply for route in routes for reply in route.replies):
        known.add(reply.value)
        known.add(reply.message)
        known.add(dict(reply.state))
    return bool(recorded or routes) and not any(route.passthrough for route in routes)
