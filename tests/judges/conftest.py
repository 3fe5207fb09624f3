"""A stand-in for an OpenAI-compatible server, and a panel that asks without long waits."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evalkit.judges.kinds import JudgeChoice
from evalkit.judges.panel import Ask, Pace, Panel
from evalkit.judges.questions import question
from evalkit.scorers.rubrics.effective import Rubric

QUICK = Pace(timeout=5, tries=3, answers=3, first_wait=0.0, longest_wait=1.0)


def verdicts(**by_id: Any) -> str:
    """An answer in the form that a judge is asked for."""
    return json.dumps({"verdicts": [{"rubric_id": name, "verdict": said} for name, said in by_id.items()]})


@dataclass
class Server:
    """Answers each request with the next reply, the last one for ever.

    A reply is the text of an answer, or a status with headers and a body; `hang` keeps silent.
    """

    url: str = ""
    replies: list[Any] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    at_work: int = 0
    most_at_work: int = 0
    pause: float = 0.0

    @property
    def prompts(self) -> list[str]:
        """What was asked."""
        return [request["messages"][0]["content"] for request in self.requests]

    def next_reply(self, body: dict[str, Any], headers: dict[str, str]) -> Any:
        with self.lock:
            self.requests.append(body)
            self.headers.append(headers)
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


HANG = object()


@pytest.fixture
def server() -> Iterator[Server]:
    """A judge on 127.0.0.1; `server.url` is its name for evalkit."""
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.path == "/v1/chat/completions"
            reply = state.next_reply(body, dict(self.headers))
            with state.lock:
                state.at_work += 1
                state.most_at_work = max(state.most_at_work, state.at_work)
            if state.pause:
                time.sleep(state.pause)
            if reply is HANG:
                state.released.wait(20)
            with state.lock:
                state.at_work -= 1
            self.answer(reply)

        def answer(self, reply: Any) -> None:
            status, headers, text = (200, {}, None) if not isinstance(reply, tuple) else reply
            if text is None:
                choices = [{"message": {"role": "assistant", "content": "" if reply is HANG else reply}}]
                text = json.dumps({"choices": choices})
            data = text.encode()
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # whoever asked has given up

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            pass

    with Quiet(("127.0.0.1", 0), Handler) as httpd:
        state.url = f"http://127.0.0.1:{httpd.server_port}/v1?model=stand-in"
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        state.released.set()
        httpd.shutdown()
        thread.join()


@pytest.fixture
def make():
    """Builders: `make.ask(url, "r0", "r1")`, `make.rule(asks)`, `make.verdicts(r0="yes")`."""

    class Make:
        hang = HANG
        quick = QUICK
        verdicts = staticmethod(verdicts)

        @staticmethod
        def ask(name: str, *ids: str, samples: int = 1, material: Any = None, **fields: Any) -> Ask:
            rubrics = [Rubric(id=one, text=f"{one} holds") for one in ids or ("r0", "r1")]
            asked = question(material or {"user": "How far?", "final_answer": "75."}, rubrics)
            return Ask(JudgeChoice.of(name, fields.pop("config", None)), asked, samples, **fields)

        @staticmethod
        def rule(*asks: Ask, pace: Pace = QUICK, root: Path = Path(), panel: Panel | None = None, **ways: Any) -> Any:
            panel = panel or Panel(root, pace)
            found = asyncio.run(panel.rule(asks, **ways))
            return found[asks[0]] if len(asks) == 1 else found

    return Make()
