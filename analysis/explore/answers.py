"""Answers to a page's question, worked out in threads: the newest question only, each answer shown as it comes."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from nicegui import background_tasks, ui

from analysis.explore.results import error_line, paragraph
from analysis.explore.texts import Texts
from core.errors import InputError

log = logging.getLogger(__name__)

# A question that was dropped still ends its step in hand; new ones do not wait for it.
_THREADS = ThreadPoolExecutor(16, thread_name_prefix="answers")

# Seconds until the page tells why there is no answer yet.
_SLOW = 2.0

Question = Callable[[], Iterator[str]]


class Answers:
    """The place on a page where answers appear, and the work on the last question."""

    def __init__(self, t: Texts) -> None:
        """Put the place where the page is being built; the work ends with the tab."""
        self._t = t
        self._task: asyncio.Task[None] | None = None
        self._state = ui.html("", sanitize=False).classes("state").props("role=status")
        self._place = ui.html("", sanitize=False).classes("answers")
        ui.context.client.on_delete(self.drop)

    def ask(self, question: Question) -> None:
        """Drop the question before; show this one's answers, HTML that a thread yields one after the other.

        An InputError is shown as the one line that it is.
        """
        self.drop()
        self._task = background_tasks.create(self._work(question()), name="answers")

    def drop(self) -> None:
        """Stop working; the step in hand ends unseen."""
        if self._task is not None:
            self._task.cancel()

    async def _work(self, answers: Iterator[str]) -> None:
        self._say("working")
        loop = asyncio.get_running_loop()

        def ask() -> "asyncio.Future[str | None]":
            return loop.run_in_executor(_THREADS, next, answers, None)

        first = ask()
        try:
            if not (await asyncio.wait({first}, timeout=_SLOW))[0]:
                self._place.content = paragraph(self._t("slow"), "hint")
            answer = await first
            while answer is not None:
                self._place.content = answer
                answer = await ask()
            self._say("done")
        except InputError as error:
            self._place.content = error_line(self._t, str(error))
            self._say("")
        except Exception:
            log.exception("an answer failed")
            self._place.content = error_line(self._t, self._t("failed"))
            self._say("")
        finally:
            # Also when the question is dropped while it waits.
            first.cancel()

    def _say(self, key: str) -> None:
        self._state.content = self._t(key) if key else ""
        self._state.props(f"data-state={key or 'wrong'}")
