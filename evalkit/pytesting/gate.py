"""What asks an agent's own model is skipped unless somebody asked for that, and the model can be reached."""

import pytest

from evalkit.errors import EvalkitError
from evalkit.locate import named_agent
from evalkit.pytesting import UNASKED
from evalkit.pytesting.asked import Asked
from evalkit.pytesting.items import EvalItem
from evalkit.pytesting.player import Player


def gate(item: pytest.Item, asked: Asked, player: Player) -> None:
    """Mark an item that has the marker `eval` as skipped if it must not, or cannot, run."""
    if item.get_closest_marker("skip") is not None:
        return
    if isinstance(item, EvalItem):
        _gate_case(item)
    elif asked.mode != "live":
        item.add_marker(pytest.mark.skip(reason=UNASKED))
    else:
        _gate_function(item, asked, player)


def _gate_case(item: EvalItem) -> None:
    try:
        reason = item.why_out_of_reach()
    except EvalkitError:
        return  # it says so when it is run, as a failure
    if reason:
        item.skip(reason)


def _gate_function(item: pytest.Item, asked: Asked, player: Player) -> None:
    """Look whether the agent that the marker names, if it does, can be asked."""
    marker = item.get_closest_marker("eval")
    agent = marker.kwargs.get("agent") if marker else None
    if agent is None:
        return
    try:
        folder = named_agent(str(agent), asked.settings, f"{item.nodeid}: pytest.mark.eval(agent=...)")
        reason = player.out_of_reach(folder)
    except EvalkitError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    if reason:
        item.add_marker(pytest.mark.skip(reason=reason))
