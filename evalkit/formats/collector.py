"""Work without the garbage collector, which walks what was read or imported again and again and finds nothing."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause the collector of reference cycles, if it is on; what files become has hardly any.

    As a decorator, so that what the function has read is gone before the collector could look at it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
