"""Frames: values that travel through a pipe of bytes."""

import io

import pytest

from evalkit.errors import AgentLoadError
from evalkit.protocol import AgentReady, Done, Finished, Started, Unusable, frame, read_frame, write_frame

MESSAGES = (AgentReady("kafka", {"kafka": ("get_lag",)}), Started(3, 120), Finished(3, "{}\n"), Done())


def test_messages_come_out_in_the_order_in_which_they_went_in():
    pipe = io.BytesIO()
    for message in MESSAGES:
        write_frame(pipe, frame(message))
    pipe.seek(0)

    assert tuple(read_frame(pipe) for _ in MESSAGES) == MESSAGES
    with pytest.raises(EOFError):
        read_frame(pipe)


def test_an_error_arrives_with_its_kind_and_its_words():
    received = read_frame(io.BytesIO(frame(Unusable(AgentLoadError("kafka: no agent here")))))

    assert type(received.error) is AgentLoadError
    assert str(received.error) == "kafka: no agent here"


@pytest.mark.parametrize("kept", [0, 1, 7, 8, 9, -1])
def test_a_frame_that_is_cut_off_is_the_end(kept):
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(frame(MESSAGES[0])[:kept]))


def test_what_has_no_copy_elsewhere_is_refused_by_the_sender():
    with pytest.raises((TypeError, AttributeError)):
        frame(lambda: None)
