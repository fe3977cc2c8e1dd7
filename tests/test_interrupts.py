"""Ctrl-C at a bad moment."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from heckmeck.interrupts import held_interrupts


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_the_block_is_finished_first() -> None:
    done = []

    def work() -> None:
        with held_interrupts():
            interrupt()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]


def test_without_ctrl_c_nothing_happens() -> None:
    before = signal.getsignal(signal.SIGINT)
    with held_interrupts():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_in_the_block_is_the_error() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ValueError, match="disk full"), held_interrupts():
        raise ValueError("disk full")
    assert signal.getsignal(signal.SIGINT) is before


def test_blocks_may_be_nested() -> None:
    done = []

    def work() -> None:
        with held_interrupts():
            with held_interrupts():
                interrupt()
                done.append("inner")
            done.append("outer")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["inner", "outer"]


def test_other_threads_hear_nothing_and_hold_nothing() -> None:
    before = signal.getsignal(signal.SIGINT)

    def work() -> None:
        with held_interrupts():
            assert signal.getsignal(signal.SIGINT) is before

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()
