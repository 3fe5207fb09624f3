"""Tools of HolmesGPT's that its recordings may name and that no call of its reaches."""

from collections.abc import Mapping

from evalkit.formats.holmes_recording import Recording

_GONE = frozenset(
    {
        "fetch_tempo_trace_by_id",
        "fetch_tempo_traces",
        "get_current_time",
        "kubectl_get_all",
        "kubectl_logs",
        "kubectl_logs_all_containers",
        "kubectl_memory_requests_all_namespaces",
        "kubectl_memory_requests_namespace",
        "kubectl_previous_logs",
        "kubectl_previous_logs_all_containers",
        "list_available_metrics",
    }
)
"""Tools that HolmesGPT had once, and no longer has at the last version that replays recordings."""


def unreachable(recording: Recording, toolsets: Mapping[str, bool]) -> str | None:
    """Say why HolmesGPT never makes the recorded call; None if it may.

    Args:
        recording: The recording.
        toolsets: What the fixture's `toolsets.yaml` turns on and off.
    """
    if toolsets.get(recording.toolset) is False:
        return f"toolsets.yaml turns off the toolset {recording.toolset} of {recording.tool}"
    return f"HolmesGPT no longer has the tool {recording.tool}" if recording.tool in _GONE else None
