"""Which entry under `toolsets:` of a mocks file speaks of which toolset of the agent.

An entry with a `match` belongs to every toolset that the pattern fits. One without belongs to the toolset whose
`tool_name_prefix` is the entry's name. Toolsets that talk to the same server share its entry. If then one server and
one entry without a `match` are left, they belong together, so that a single toolset needs no more than its tools. The
order of entries means nothing: with two servers left, a guess could be wrong without anybody noticing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.adk.tools.base_toolset import BaseToolset

from evalkit.adk import private
from evalkit.adk.servers import Found
from evalkit.adk.suggestions import in_yaml, match_for, name_for
from evalkit.matching import Members, compile_args, describe

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """What a mocks file says of one toolset.

    Attributes:
        tools: As MCP's `tools/list` has them, with the keys of the mocks file.
        resources: As MCP's `resources/list` has them, each with what `resources/read` says as `text` or `blob`.
        pattern: Its `match` as written.
    """

    name: str
    tools: tuple[JsonObject, ...] = ()
    resources: tuple[JsonObject, ...] = ()
    pattern: JsonObject | None = None

    def fits(self, found: Found) -> bool:
        """Tell whether the entry names this toolset, by its `match` or by the prefix."""
        if self.pattern is None:
            return found.prefix == self.name
        matcher: Members = compile_args(self.pattern)
        return matcher.accepts(found.facts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairing:
    """The toolsets of one agent with the entries of one mocks file.

    Attributes:
        pairs: Each toolset that has an entry.
        faults: What does not fit together, one sentence each.
    """

    pairs: tuple[tuple[Found, Entry], ...] = ()
    faults: tuple[str, ...] = field(default=())

    def entry(self, toolset: BaseToolset) -> Entry | None:
        """Return what is said of a toolset."""
        return next((entry for found, entry in self.pairs if found.toolset is toolset), None)

    def entry_of_manager(self, manager: object) -> Entry | None:
        """Return what is said of the toolset that has this session manager."""
        mine = (e for f, e in self.pairs if getattr(f.toolset, private.SESSION_MANAGER, None) is manager)
        return next(mine, None)


def entries(section: Mapping[str, JsonObject]) -> tuple[Entry, ...]:
    """Read the `toolsets:` section of a mocks file."""
    return tuple(
        Entry(
            name=name,
            tools=tuple(said.get("tools") or ()),
            resources=tuple(said.get("resources") or ()),
            pattern=said.get("match"),
        )
        for name, said in section.items()
    )


def pair(found: Sequence[Found], known: Sequence[Entry], file: str = "mocks.yaml") -> Pairing:
    """Find out which entry belongs to which toolset.

    Args:
        found: The agent's toolsets.
        known: The entries.
        file: The mocks file, for messages.
    """
    fitting = {id(one): [entry for entry in known if entry.fits(one)] for one in found}
    chosen = {key: fits[0] for key, fits in fitting.items() if fits}
    _share_servers(found, chosen)
    _pair_the_last(found, known, chosen)
    faults = (*_ambiguous(found, fitting, file), *_without_entry(found, known, chosen, file))
    faults = (*faults, *_without_toolset(found, known, chosen, file))
    return Pairing(pairs=tuple((one, chosen[id(one)]) for one in found if id(one) in chosen), faults=faults)


def _share_servers(found: Sequence[Found], chosen: dict[int, Entry]) -> None:
    by_server = {one.server: chosen[id(one)] for one in found if one.server and id(one) in chosen}
    for one in found:
        if one.server in by_server:
            chosen.setdefault(id(one), by_server[one.server])


def _pair_the_last(found: Sequence[Found], known: Sequence[Entry], chosen: dict[int, Entry]) -> None:
    left = [one for one in found if one.connects and id(one) not in chosen]
    free = _free(known, chosen)
    if len({one.server or (str(id(one)),) for one in left}) == len(free) == 1:
        chosen.update({id(one): free[0] for one in left})


def _free(known: Sequence[Entry], chosen: Mapping[int, Entry]) -> list[Entry]:
    taken = {entry.name for entry in chosen.values()}
    return [entry for entry in known if entry.name not in taken and entry.pattern is None]


def _ambiguous(found: Sequence[Found], fitting: Mapping[int, Sequence[Entry]], file: str) -> Iterator[str]:
    for one in found:
        names = [f"toolsets.{entry.name}" for entry in fitting[id(one)]]
        if len(names) > 1:
            yield f"{one.label} fits {' and '.join(names)} in {file}; narrow a `match` so that one is left"


def _without_entry(
    found: Sequence[Found], known: Sequence[Entry], chosen: Mapping[int, Entry], file: str
) -> Iterator[str]:
    free = [f"toolsets.{entry.name}" for entry in _free(known, chosen)]
    for one in found:
        if not one.connects or id(one) in chosen:
            continue
        if free:
            match = in_yaml(match_for(one, found))
            yield (
                f"{one.label} may have any of {', '.join(free)} in {file}; say which with `match: {{{match}}}`"
                " in that entry, or name the entry after the tool_name_prefix"
            )
        else:
            yield missing(one, file)


def missing(found: Found, file: str = "mocks.yaml") -> str:
    """Say that a toolset has no entry, and what to write."""
    return (
        f"{found.label} has no entry under toolsets: in {file}; write there"
        f" `{name_for(found)}: {{tools: [{{name: …, description: …, input_schema: {{…}}}}]}}`,"
        " with what its server lists, since nothing connects to it"
    )


def _without_toolset(
    found: Sequence[Found], known: Sequence[Entry], chosen: Mapping[int, Entry], file: str
) -> Iterator[str]:
    taken = {entry.name for entry in chosen.values()}
    labels = ", ".join(one.label for one in found)
    for entry in known:
        if entry.name in taken:
            continue
        where = f"toolsets.{entry.name} in {file}"
        if not found:
            yield f"{where} belongs to no toolset: the agent has none; remove it"
        elif entry.pattern is not None:
            yield f"{where} belongs to no toolset: its match wants {describe(dict(entry.pattern))}; there are: {labels}"
        elif all(id(one) in chosen or not one.connects for one in found):
            yield f"{where} belongs to no toolset: each of them has another entry, or none to ask ({labels}); remove it"
