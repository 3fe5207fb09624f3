import signal
import threading

import pytest

from evalkit.interrupt import SIGNALS, Interruption


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_asks_to_stop_and_says_so(number):
    told = []
    with Interruption(told.append) as interruption:
        assert not interruption.asked()
        signal.raise_signal(number)
        assert interruption.asked()
    assert told == ["stopping; what was played is kept (Ctrl-C again to stop at once)"]


@pytest.mark.parametrize("number", SIGNALS)
def test_the_second_one_interrupts_at_once(number):
    with Interruption(lambda _: None):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)


def test_afterwards_signals_do_what_they_did():
    before = [signal.getsignal(number) for number in SIGNALS]
    with Interruption(lambda _: None):
        assert [signal.getsignal(number) for number in SIGNALS] != before
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_outside_of_the_main_thread_nothing_is_touched():
    asked = []

    def enter():
        with Interruption(lambda _: None) as interruption:
            asked.append(interruption.asked())

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert asked == [False]
