"""What replay refused, and what to write so that it need not."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_TELEMETRY = "it would have carried telemetry or logs away, which replay never does"
_WEB_PORTS = {80: "http", 443: "https"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A connection or a program that the case does not fake.

    Attributes:
        target: The address (`grafana:3000`) or the command line.
        message: What was refused and what to write, in one sentence.
        telemetry: Whether it comes from an exporter of traces, metrics or logs, without which an agent does the same.
    """

    kind: Literal["connection", "program"]
    target: str
    message: str
    telemetry: bool = False


def connection_refusal(host: str, port: int | None, *, intercepted: bool, telemetry: bool) -> Refusal:
    """Explain a refused connection; `intercepted` if the case fakes this address for other clients."""
    target = f"[{host}]:{port}" if ":" in host and port else f"{host}:{port}" if port else host
    if telemetry:
        remedy = _TELEMETRY
    elif intercepted:
        remedy = (
            "it is faked for httpx, httpx2, requests and urllib3, and this is another client: "
            "let the agent read the address from a variable, and fake that: `- http: {env: NAME, routes: […]}`"
        )
    else:
        url = f"{_WEB_PORTS.get(port or 80, 'http')}://{target}"
        remedy = (
            f'fake it under `backends`: `- http: {{base_url: "{url}", routes: […]}}`, or what speaks to it, if that is '
            "not HTTP: `- python: {factory: …, patches: …}`"
        )
    return Refusal("connection", target, f"a connection to {target} was refused: {remedy}", telemetry)


def socket_file_refusal(path: str, *, telemetry: bool) -> Refusal:
    """Explain a refused connection over a Unix socket."""
    remedy = _TELEMETRY if telemetry else "replace what speaks to it: `- python: {factory: …, patches: …}`"
    return Refusal("connection", path, f"a connection over the socket {path} was refused: {remedy}", telemetry)


def program_refusal(argv: Sequence[str], why: str | None = None, within: str | None = None) -> Refusal:
    """Explain a refused program.

    Args:
        argv: The program and its arguments.
        why: What is wrong, if it is not simply that nothing fakes it.
        within: The shell's command line that calls it.
    """
    line, name = shlex.join(argv), argv[0].rpartition("/")[2]
    form = "…" if within else f"{{argv: [{', '.join(argv[1:4])}], stdout: …}}"
    remedy = why or f"fake it under `backends`: `- command: {{program: {name}, routes: [{form}]}}`"
    called = f", called by `{within}`," if within else ""
    return Refusal("program", within or line, f"the program `{line}`{called} was refused: {remedy}")


def shell_refusal(script: str, why: str) -> Refusal:
    """Explain a refused command line of a shell."""
    return Refusal("program", script, f"the shell command `{script}` was refused: {why}")
