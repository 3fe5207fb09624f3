"""What tools answer in place of the real thing, and what to say when nothing does."""

from evalkit.mocks.backend import NEUTRAL_REPLY, Answer, Backend, Missed, Passthrough, Raised, Returned
from evalkit.mocks.raising import mocked_exception
from evalkit.mocks.recordings import recorded_replies

__all__ = [
    "NEUTRAL_REPLY",
    "Answer",
    "Backend",
    "Missed",
    "Passthrough",
    "Raised",
    "Returned",
    "mocked_exception",
    "recorded_replies",
]
