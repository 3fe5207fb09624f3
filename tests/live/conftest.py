"""A model's server on this machine, in Gemini's protocol and in OpenAI's, that answers as a test's script says."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evalkit.evaluate import evaluate
from evalkit.plan import RunOptions
from evalkit.report.model import Report
from evalkit.report.progress import SilentProgress
from evalkit.report.wording import case_label
from evalkit.runs import RunFolder
from evalkit.settings import Settings, load_settings

USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
JSON, SSE = "application/json", "text/event-stream"


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Call:
    """Calls that are asked for together: pairs of name and arguments."""

    calls: tuple[tuple[str, Mapping[str, Any]], ...]


@dataclass(frozen=True)
class Refuse:
    """An HTTP error; `wait` is what `Retry-After` says."""

    status: int
    wait: int | None = None
    body: Mapping[str, Any] = field(default_factory=lambda: {"error": {"code": 429, "message": "quota exhausted"}})


@dataclass(frozen=True)
class Raw:
    """Any body, such as a broken one."""

    body: bytes


class Hang:
    """No answer, as long as the server is up."""


Answer = Say | Call | Refuse | Raw | Hang


@dataclass(frozen=True)
class Asked:
    """A request, whichever protocol it came in.

    Attributes:
        system: The instruction.
        users: Everything that the user said, in order.
        calls: The calls that were made since the user last said something.
        replies: What they came to.
    """

    protocol: str
    model: str
    key: str | None
    streaming: bool
    tools: tuple[str, ...]
    system: str = ""
    users: tuple[str, ...] = ()
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    replies: tuple[Any, ...] = ()

    @property
    def user(self) -> str:
        return self.users[-1]


Script = Callable[[Asked], Answer]


class StandIn(ThreadingHTTPServer):
    """The server; it keeps what it was asked."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.asked: list[Asked] = []
        self.over = threading.Event()
        url = f"http://127.0.0.1:{self.server_port}"
        self.variables = {
            "GOOGLE_GEMINI_BASE_URL": url,
            "GOOGLE_API_KEY": "no-real-key",
            "APIGEE_PROXY_URL": f"{url}/v1",  # ADK's own client for the chat-completions protocol
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_BASE": f"{url}/v1",
            "OPENAI_API_KEY": "no-real-key",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else it asks GitHub for one
        }


class _Handler(BaseHTTPRequestHandler):
    server: StandIn
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = _gemini_asked(self, body) if ":" in self.path else _openai_asked(self, body)
        self.server.asked.append(asked)
        answer = self.server.script(asked)
        if isinstance(answer, Hang):
            self.server.over.wait()
            self.close_connection = True
            return
        try:
            self._send(asked, answer)
        except OSError:  # whoever asked has gone
            self.close_connection = True

    def _send(self, asked: Asked, answer: Answer) -> None:
        status, kind, wait = 200, SSE if asked.streaming else JSON, None
        if isinstance(answer, Refuse):
            status, kind, wait, data = answer.status, JSON, answer.wait, json.dumps(answer.body).encode()
        elif isinstance(answer, Raw):
            data = answer.body
        else:
            data = _gemini_body(asked, answer) if asked.protocol == "gemini" else _openai_body(asked, answer)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if wait is not None:
            self.send_header("Retry-After", str(wait))
        self.end_headers()
        self.wfile.write(data)


def _gemini_asked(handler: _Handler, body: Mapping[str, Any]) -> Asked:
    model, _, method = handler.path.rpartition("/")[2].partition(":")
    said: list[tuple[str, Any]] = []
    for content in body["contents"]:
        for part in content["parts"]:
            if "functionCall" in part:
                said.append(("call", (part["functionCall"]["name"], part["functionCall"].get("args", {}))))
            elif "functionResponse" in part:
                said.append(("reply", part["functionResponse"]["response"]))
            elif content["role"] == "user":
                said.append(("user", part["text"]))
    declared = [one for tool in body.get("tools", ()) for one in tool.get("functionDeclarations", ())]
    return Asked(
        protocol="gemini",
        model=model,
        key=handler.headers["x-goog-api-key"],
        streaming=method.startswith("stream"),
        tools=tuple(one["name"] for one in declared),
        system="".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", ())),
        **_sorted(said),
    )


def _openai_asked(handler: _Handler, body: Mapping[str, Any]) -> Asked:
    said: list[tuple[str, Any]] = []
    for message in body["messages"]:
        for call in message.get("tool_calls") or ():
            function = call["function"]
            said.append(("call", (function["name"], json.loads(function["arguments"]))))
        if message["role"] == "tool":
            said.append(("reply", json.loads(message["content"])))
        elif message["role"] == "user":
            content = message["content"]
            said.append(("user", content if isinstance(content, str) else "".join(part["text"] for part in content)))
    return Asked(
        protocol="openai",
        model=body["model"],
        key=(handler.headers["authorization"] or "").removeprefix("Bearer ") or None,
        streaming=body.get("stream", False),
        tools=tuple(tool["function"]["name"] for tool in body.get("tools") or ()),
        system="".join(message["content"] for message in body["messages"] if message["role"] == "system"),
        **_sorted(said),
    )


def _sorted(said: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    kinds = [kind for kind, _ in said]
    last = len(kinds) - kinds[::-1].index("user") if "user" in kinds else 0
    return {
        "users": tuple(value for kind, value in said if kind == "user"),
        "calls": tuple(value for kind, value in said[last:] if kind == "call"),
        "replies": tuple(value for kind, value in said[last:] if kind == "reply"),
    }


def _gemini_body(asked: Asked, answer: Say | Call) -> bytes:
    if isinstance(answer, Say):
        pieces = [[{"text": text}] for text in (_halves(answer.text) if asked.streaming else [answer.text])]
    else:
        pieces = [[{"functionCall": {"name": name, "args": args}} for name, args in answer.calls]]
    chunks: list[dict[str, Any]] = [{"content": {"role": "model", "parts": parts}} for parts in pieces]
    chunks[-1]["finishReason"] = "STOP"
    bodies = [{"candidates": [chunk], "usageMetadata": USAGE, "modelVersion": asked.model} for chunk in chunks]
    if not asked.streaming:
        return json.dumps(bodies[0]).encode()
    return "".join(f"data: {json.dumps(body)}\r\n\r\n" for body in bodies).encode()


def _openai_body(asked: Asked, answer: Say | Call) -> bytes:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    calls = [
        {"id": f"call_{len(asked.calls) + index}", "type": "function", "function": {"name": name, "arguments": args}}
        for index, (name, args) in enumerate(_written(answer))
    ]
    finish = "tool_calls" if calls else "stop"
    about = {"id": "chatcmpl-1", "created": 1, "model": asked.model}
    if not asked.streaming:
        message = {
            "role": "assistant",
            "content": None if calls else answer.text,
            **({"tool_calls": calls} if calls else {}),
        }
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return json.dumps({**about, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
    deltas = [{"content": text} for text in _halves(answer.text)] if isinstance(answer, Say) else _in_pieces(calls)
    choices = [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    chunks = [{**about, "object": "chat.completion.chunk", "choices": [choice]} for choice in choices]
    chunks[-1]["usage"] = usage
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode() + b"data: [DONE]\n\n"


def _written(answer: Say | Call) -> list[tuple[str, str]]:
    return [(name, json.dumps(args)) for name, args in answer.calls] if isinstance(answer, Call) else []


def _in_pieces(calls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Cut the arguments of each call in two, as a stream does."""
    deltas = []
    for index, call in enumerate(calls):
        first, rest = _halves(call["function"]["arguments"])
        deltas.append({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": first}}]})
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": rest}}]})
    return deltas


def _halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


@pytest.fixture
def serve() -> Iterator[Callable[[Script], StandIn]]:
    """Start a server with a script, until the test is over."""
    servers: list[StandIn] = []

    def start(script: Script) -> StandIn:
        server = StandIn(script)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    yield start
    for server in servers:
        server.over.set()
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def answers() -> SimpleNamespace:
    """What a script may answer."""
    return SimpleNamespace(
        Say=Say,
        Refuse=Refuse,
        Raw=Raw,
        Hang=Hang,
        call=lambda name, **args: Call(((name, args),)),
        calls=lambda *calls: Call(calls),
    )


AGENT = '''
import os
from google.adk.agents import LlmAgent


def get_lag(group: str) -> dict:
    """Return the lag of a consumer group."""
    raise AssertionError("the real tool ran")


def list_groups() -> dict:
    """List all consumer groups."""
    raise AssertionError("the real tool ran")


root_agent = LlmAgent(name="{name}", model={model}, tools=[get_lag, list_groups], {more})
'''

MOCKS = """
tools:
  get_lag:
    - args: {group: orders}
      returns: {status: success, lag: 75}
  list_groups:
    - returns: {groups: [orders, payments]}
"""


class Project:
    """A project with one agent, that tests fill and play live in this process; its agents run in workers, as always."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("pyproject.toml", "[tool.evalkit]\n")
        self.agent("lag")
        self.write("evalsets/lag/mocks.yaml", MOCKS)
        self.config({"tool_trajectory_avg_score": 1.0})

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def agent(self, name: str, *, model: str = '"gemini-2.5-flash"', more: str = "", env: str | None = None) -> None:
        self.write(f"agents/{name}/__init__.py", "from . import agent\n")
        self.write(f"agents/{name}/agent.py", AGENT.format(name=name, model=model, more=more))
        if env is not None:
            self.write(f"agents/{name}/.env", env)

    def config(self, criteria: Mapping[str, Any], **more: Any) -> None:
        self.write("evalsets/lag/test_config.json", json.dumps({"criteria": criteria, **more}))

    def evalset(self, *cases: Mapping[str, Any], name: str = "evalsets/lag/lag.test.json") -> None:
        self.write(name, json.dumps({"eval_set_id": Path(name).stem.partition(".")[0], "eval_cases": cases}))

    def run(self, server: "StandIn | None" = None, *, settings: Settings | None = None, **options: Any) -> "Played":
        """Play live, with a server for the models if one is given."""
        told = Told()
        options = {"mode": "live", "report_dir": self.root / "out", **options}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (server.variables if server else {}).items():
                patch.setenv(name, value)
            report, folder = evaluate(RunOptions(**options), settings or load_settings(self.root), told)
        return Played(report, folder, told.lines)


class Told(SilentProgress):
    """Keeps what a user would be told while a run goes on."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def message(self, text: str) -> None:
        self.lines.append(text)


@dataclass(frozen=True)
class Played:
    """A run: its report, its folder, what was told on the way."""

    report: Report
    folder: RunFolder
    told: list[str]

    @property
    def verdicts(self) -> dict[str, str]:
        return {case_label(result): result.verdict for result in self.report.results}

    @property
    def reasons(self) -> dict[str, str]:
        return {case_label(result): "\n".join(result.reasons) for result in self.report.results}

    @property
    def notes(self) -> dict[str, tuple[str, ...]]:
        return {case_label(result): result.notes for result in self.report.results}


@pytest.fixture
def project_in() -> Callable[[Path], Project]:
    """Make a project in a folder."""
    return Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture(scope="session")
def make_case() -> Callable[..., dict[str, Any]]:
    """Make a case that expects the lag of `orders` to be looked up, unless `calls` says otherwise."""

    def case(eval_id: str, *calls: Mapping[str, Any], final: str = "The lag is 75.", **more: Any) -> dict[str, Any]:
        turn = {
            "user_content": {"role": "user", "parts": [{"text": eval_id}]},
            "intermediate_data": {"tool_uses": calls or [{"name": "get_lag", "args": {"group": "orders"}}]},
            "final_response": {"role": "model", "parts": [{"text": final}]},
        }
        return {"eval_id": eval_id, "conversation": [turn], **more}

    return case
