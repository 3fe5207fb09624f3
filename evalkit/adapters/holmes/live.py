"""What a live run of a case sets up around it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evalkit.adapters.holmes.builtin import BUILTIN_TOOLS
from evalkit.adapters.holmes.fixture import TOOLSETS_FILE
from evalkit.adapters.holmes.notes import note
from evalkit.adapters.holmes.nouns import Fixture, Note
from evalkit.adapters.holmes.prompts import asks_for_files, user_texts
from evalkit.adapters.holmes.test_case import CASE_FILE
from evalkit.setups import LiveSetup, PortForward

FILES: Final = "files"
SHARED: Final = "shared"
_SHARED_USED: Final = re.compile(r"\.\./shared\b")

_DAL: Final = ("issues_metadata.json", "global_instructions.json")
"""What HolmesGPT's database would answer, filtered by the call, or add to the agent's instruction."""


def live_setup(fixture: Fixture, needed: str | None) -> LiveSetup | None:
    """Make the live setup of a fixture's cases; None if there is nothing to set up and no need."""
    case = fixture.case or {}
    setup = LiveSetup(
        needed=needed,
        before=case.get("before_test"),
        after=case.get("after_test"),
        timeout=case.get("setup_timeout"),
        env=case.get("test_env_vars") or {},
        port_forwards=tuple(PortForward(**one) for one in case.get("port_forwards") or ()),
        may_create_files=any(map(asks_for_files, user_texts(fixture))),
        mocked_tools=_always_mocked(fixture),
    )
    if setup == LiveSetup():
        return None
    return replace(
        setup,
        folder=FILES if fixture.files else None,
        shared=f"../../{SHARED}" if uses_shared(fixture) and _has_shared(fixture) else None,
        mocked_tools=tuple(dict.fromkeys([*setup.mocked_tools, *BUILTIN_TOOLS])),
    )


def _always_mocked(fixture: Fixture) -> tuple[str, ...]:
    """The tools whose recordings answer in a live run too, as the author says."""
    case = fixture.case or {}
    policy, overrides = case.get("mock_policy"), case.get("mock_overrides") or {}
    always = (one.tool for one in fixture.recordings if overrides.get(one.toolset, policy) == "always_mock")
    return tuple(sorted(set(always)))


def uses_shared(fixture: Fixture) -> bool:
    """Whether a script or a file of a fixture reaches for the folder that fixtures share."""
    case = fixture.case or {}
    scripts = [case.get("before_test") or "", case.get("after_test") or ""]
    return any(map(_SHARED_USED.search, scripts)) or any(
        _SHARED_USED.search((fixture.folder / name).read_bytes().decode(errors="replace")) for name in fixture.files
    )


def _has_shared(fixture: Fixture) -> bool:
    return (fixture.folder.parent.parent / SHARED).is_dir()


def live_notes(fixture: Fixture) -> Iterator[Note]:
    """Say what a live run would set up."""
    case = fixture.case or {}
    scripts = [key for key in ("before_test", "after_test") if case.get(key)]
    if scripts:
        limit = f", {case['setup_timeout']} s each" if case.get("setup_timeout") else ""
        yield note("LIVE_SETUP", f"{' and '.join(scripts)} run only with --live-setup{limit}", CASE_FILE)
    if case.get("port_forwards"):
        ports = ", ".join(str(one["local_port"]) for one in case["port_forwards"])
        yield note("LIVE_PORTS", f"a live run forwards the ports {ports} of this machine", CASE_FILE)
    if case.get("test_env_vars"):
        yield note("LIVE_ENV", f"a live run sets {', '.join(case['test_env_vars'])}, unexpanded here", CASE_FILE)
    if fixture.toolsets:
        on = [name for name, enabled in fixture.toolsets.items() if enabled]
        yield note(
            "TOOLSETS",
            f"{len(on)} toolsets of HolmesGPT turned on, {len(fixture.toolsets) - len(on)} off",
            TOOLSETS_FILE,
        )
    if uses_shared(fixture) and not _has_shared(fixture):
        yield note("SHARED_ABSENT", f"its scripts or files use ../../{SHARED}, which is not beside the suites")
    for name in _DAL:
        if name in fixture.sidecars:
            yield note(
                "SIDECAR_DAL", "HolmesGPT's database answers with it; it is kept as a file, and nothing answers", name
            )
    if fixture.history and fixture.kind == "ask" and case.get("test_type", "cli") == "cli":
        yield note("HISTORY_NEEDS_SERVER", "HolmesGPT skips this case in its CLI mode, which is the default", CASE_FILE)
