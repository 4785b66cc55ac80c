"""What a test of interrupts needs."""

import contextlib
import os
import signal
import threading


@contextlib.contextmanager
def interrupt(after):
    """Interrupts this process, as Ctrl-C does, after so many seconds."""
    # A shell lets the programs that it starts in the background ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
