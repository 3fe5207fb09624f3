"""Settings: `[tool.evalkit]` of the nearest `pyproject.toml` that has it. Every key has a flag, and flags win."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from evalkit.errors import SettingsError

if TYPE_CHECKING:
    from evalkit.prices import Price
    from evalkit.quarantine import Quarantine

Mode = Literal["golden", "cassette", "live"]

PLAYABLE_MODES: tuple[Mode, ...] = ("golden", "live")
"""Modes in which `run` can play cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What evalkit knows about a project.

    Attributes:
        root: The folder that paths are relative to: that of `pyproject.toml`, or the current one.
        agents: Folder with one agent a subfolder.
        evalsets: Folder with evalsets, one subfolder an agent.
        agent_for: Which agent a folder of evalsets belongs to, where names alone do not say it.
        mode: Where model turns come from if no flag says so.
        timeout: Seconds a case may take.
        setup_timeout: Seconds that each script of a live setup may take, where the case does not say so.
        jobs: How many processes play.
        optional_offline: Metrics that may go unjudged where no judge is at hand.
        ignore: Rules of `check` that are switched off.
        pytest: What a plain `pytest` does with evalsets: replays them in golden mode, or passes them over (None).
        min_pass_rate: The share of its runs in which a case must pass, where it does not say so itself.
        min_lower_bound: What the lower bound of its pass rate must reach.
        suite_min_pass_rate: The share of all runs of all cases that must pass; it then decides instead of each case.
        suite_min_lower_bound: What the lower bound of that rate must reach.
        prices: What models cost, by name; a name may be a shell pattern.
        quarantine: Cases that are played and reported and do not gate, for a time.
        judge: Who judges what no program can, by name (see `evalkit.judges.kinds`); None for nobody.
        origin: The file the settings come from, None for defaults.
    """

    root: Path = field(default_factory=Path.cwd)
    agents: str = "agents"
    evalsets: str = "evalsets"
    agent_for: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = "golden"
    timeout: float = 300.0
    setup_timeout: float = 300.0
    jobs: int = 1
    optional_offline: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    pytest: Literal["golden"] | None = None
    min_pass_rate: float | None = None
    min_lower_bound: float | None = None
    suite_min_pass_rate: float | None = None
    suite_min_lower_bound: float | None = None
    prices: "Mapping[str, Price]" = field(default_factory=dict)
    quarantine: "tuple[Quarantine, ...]" = ()
    judge: str | None = None
    origin: Path | None = None


class _Shape(NamedTuple):
    """What a key may hold: a type, for lists and tables that of each item too, and how to say so."""

    kind: type | tuple[type, ...]
    wanted: str
    items: type | None = None


_AGENT_FOR = 'a table of folders and agents, such as { "evalsets/kafka" = "agents/kafka_health" }'
_SHARE = "a share above 0 and up to 1, such as 0.8"
_SHAPES: Mapping[str, _Shape] = {
    "agents": _Shape(str, "a folder"),
    "evalsets": _Shape(str, "a folder"),
    "agent_for": _Shape(dict, _AGENT_FOR, items=str),
    "mode": _Shape(str, "golden, cassette or live"),
    "timeout": _Shape((int, float), "seconds"),
    "setup_timeout": _Shape((int, float), "seconds"),
    "jobs": _Shape(int, "a number of processes"),
    "optional_offline": _Shape(list, 'a list of metric names, such as ["safety_v1"]', items=str),
    "ignore": _Shape(list, 'a list of rules of `evalkit check`, such as ["legacy-form"]', items=str),
    "pytest": _Shape(str, '"golden"; a plain pytest never plays live'),
    "min_pass_rate": _Shape((int, float), _SHARE),
    "min_lower_bound": _Shape((int, float), _SHARE),
    "suite_min_pass_rate": _Shape((int, float), _SHARE),
    "suite_min_lower_bound": _Shape((int, float), _SHARE),
    "prices": _Shape(dict, "a table of models, such as { flash = { input = 0.30, output = 2.50 } }"),
    "judge": _Shape(str, 'a judge, such as "gemini-2.5-flash"'),
    "quarantine": _Shape(list, "tables under [[tool.evalkit.quarantine]]", items=dict),
}


_WORDS: Mapping[str, tuple[str, ...]] = {"mode": get_args(Mode), "pytest": ("golden",)}
"""The words that a key may hold, where not every text will do."""


def load_settings(start: Path | None = None) -> Settings:
    """Read the settings that hold in a folder (default: the current one).

    A `pyproject.toml` without the table is passed over: it belongs to a part of the project, or has other business.

    Raises:
        SettingsError: A key is unknown or its value makes no sense, or the file is no TOML.
    """
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            table = _table(path)
            if table is not None:
                return _settings(path, table)
    return Settings(root=start)


def _table(path: Path) -> dict[str, Any] | None:
    import tomllib  # costs what a project without the file need not pay

    try:
        tool = tomllib.loads(path.read_text(encoding="utf-8")).get("tool")
    except OSError as error:
        raise SettingsError(f"{path}: cannot read: {error.strerror or error}") from error
    except ValueError as error:  # broken TOML, or no UTF-8
        raise SettingsError(f"{path}: is not TOML: {error}") from error
    table = tool.get("evalkit") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: tool.evalkit: expected a table, found {table!r}")
    return table


def _settings(path: Path, table: dict[str, Any]) -> Settings:
    for key, value in table.items():
        _check(f"{path}: tool.evalkit.{key}", key, value)
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    if entries := values.get("quarantine"):
        from evalkit.quarantine import read_entry  # most projects have none, and do not pay for it

        where = f"{path}: tool.evalkit.quarantine"
        values["quarantine"] = tuple(read_entry(entry, f"{where}[{place}]") for place, entry in enumerate(entries))
    if prices := values.get("prices"):
        from evalkit.prices import read_price

        where = f"{path}: tool.evalkit.prices"
        values["prices"] = {model: read_price(price, f"{where}.{model}") for model, price in prices.items()}
    return Settings(root=path.parent, origin=path, **values)


def _check(where: str, key: str, value: Any) -> None:
    if key not in _SHAPES:
        import difflib

        close = difflib.get_close_matches(key, _SHAPES, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known keys: {', '.join(_SHAPES)}"
        raise SettingsError(f"{where}: unknown key; {hint}")
    shape = _SHAPES[key]
    fits = isinstance(value, shape.kind) and not isinstance(value, bool)
    if fits and shape.items:
        fits = all(isinstance(item, shape.items) for item in (value.values() if isinstance(value, dict) else value))
    if not fits or (key in _WORDS and value not in _WORDS[key]):
        raise SettingsError(f"{where}: expected {shape.wanted}, found {value!r}")
    if key in ("timeout", "setup_timeout", "jobs") and not value > 0:
        raise SettingsError(f"{where}: expected more than 0, found {value!r}")
    if shape.wanted == _SHARE and not 0 < value <= 1:
        raise SettingsError(f"{where}: expected {_SHARE}, found {value!r}")
