"""What a tool's reply says of how the call went.

ADK has no status of its own: a tool says in its reply that it failed, each in its own words. These are understood:

- an `error`, `errors`, `error_message` or `exception` that is not empty;
- a `status` of error, errored, failed, failure or fail, in any case;
- a `status` or `status_code` that is an HTTP code from 400 to 599;
- `success` or `ok` that is false;
- `isError` or `is_error` that is true, as MCP servers answer;
- all that under a lone `result`, in which ADK wraps what is no object.
"""

from collections.abc import Mapping
from typing import Any, Final

from evalkit.cases import Json

_FAILED: Final = frozenset({"error", "errored", "failed", "failure", "fail"})
_ERROR_KEYS: Final = ("error", "errors", "error_message", "exception")
_STATUS_KEYS: Final = ("status", "status_code")
_HTTP_ERRORS: Final = range(400, 600)
_FLAGS: Final = {"isError": True, "is_error": True, "success": False, "ok": False}


def error_in(reply: Json) -> Json:
    """Return what a reply gives as its error: the message if it has one, else all of it; None if it tells of none."""
    if not isinstance(reply, Mapping):
        return None
    if reply.keys() == {"result"}:
        return error_in(reply["result"])
    said = next((reply[key] for key in _ERROR_KEYS if reply.get(key)), None)
    if said is not None:
        return said
    return dict(reply) if _tells_of_failure(reply) else None


def finds_something(reply: Json) -> bool:
    """Tell whether a reply is evidence: no error, no word that there is no data, and no success with `data` of null.

    That is how HolmesGPT's tools say it; a plain text is always something.
    """
    inner = reply["result"] if isinstance(reply, Mapping) and reply.keys() == {"result"} else reply
    return not (isinstance(inner, Mapping) and _tells_of_nothing(inner)) and error_in(inner) is None


def _tells_of_nothing(reply: Mapping[str, Any]) -> bool:
    if reply.get("status") == "no_data":
        return True
    return reply.get("status") == "success" and "data" in reply and reply["data"] is None


def _tells_of_failure(reply: Mapping[str, Any]) -> bool:
    statuses = [reply.get(key) for key in _STATUS_KEYS]
    if any(isinstance(status, str) and status.casefold() in _FAILED for status in statuses):
        return True
    if any(type(status) is int and status in _HTTP_ERRORS for status in statuses):
        return True
    return any(reply.get(key) is flag for key, flag in _FLAGS.items())
