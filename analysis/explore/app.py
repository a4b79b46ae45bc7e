"""The server of the dashboard: pages on 127.0.0.1, everything that a page loads coming from there."""

import logging
import os
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import ModuleType

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse
from nicegui import ui

from analysis.explore import ton_buyin, tonk_drop, tonk_odds, tonk_position, variants
from analysis.explore.page import MENU, Page
from analysis.explore.state import Field, Values, Word
from analysis.explore.texts import LANGUAGES, Texts
from analysis.interruption import stop_at_once
from core.errors import InputError
from core.ruleset import nearest

HOST, PORT = "127.0.0.1", 8765
PAGES: dict[str, ModuleType] = dict(zip(MENU, (tonk_odds, tonk_drop, tonk_position, ton_buyin, variants), strict=True))
_STYLE = Path(__file__).with_name("style.css")
# Shown in the tab.
_ICON = "🂡"


def serve(port: int, lang: str, opened: Callable[[str], None], *, browser: bool) -> None:
    """Serve the dashboard until interrupted; `opened` is told its address, a browser shows it if wanted.

    Raises InputError for a language that is not one of the pages', and where the port is taken.
    """
    if lang not in LANGUAGES:
        raise InputError(f"language {lang!r}: {nearest(lang, LANGUAGES)}")
    listening = _listen(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}/"
    app = FastAPI(openapi_url=None)
    for path, module in PAGES.items():
        _register(path, module, lang)
    app.add_api_route("/", _home)
    ui.add_head_html(f"<style>{_STYLE.read_text(encoding='utf-8')}</style>", shared=True)
    # No style sheets made in the browser: they would delay the first paint.
    ui.run_with(app, title="tonlab", favicon=_ICON, dark=None, tailwind=False, show_welcome_message=False)
    # There is nothing to save, and an exception raised now could be lost in a callback of the server.
    signal.signal(signal.SIGINT, lambda *_: stop_at_once())
    signal.signal(signal.SIGTERM, lambda *_: os._exit(128 + signal.SIGTERM))
    server = _Server(
        uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, lifespan="on")
    )
    opened(address)
    if browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    threading.Thread(target=_warm, daemon=True, name="warm").start()
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that leaves signals to us."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        # From here on a browser may ask; it is answered once the server runs.
        listening.listen()
    except OSError as error:
        raise InputError(
            f"port {port} on {HOST} cannot be used: {error.strerror}; choose another with --port"
        ) from None
    return listening


def _home(request: Request) -> RedirectResponse:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(next(iter(MENU)) + query)


def _register(path: str, module: ModuleType, lang: str) -> None:
    @ui.page(path)
    def show(request: Request) -> None:
        module.build(Page(path, module.FIELDS, request.query_params, lang))


def _warm() -> None:
    """Work out the first answers of each page once, so that no visitor waits for kernels to be compiled or loaded."""
    logging.getLogger(__name__).info("loading kernels")
    for module in PAGES.values():
        for values in _openings(module.FIELDS):
            # No thread can be had any more when the server is being stopped.
            with suppress(InputError, RuntimeError):
                for _ in islice(module.answers(values, Texts("en")), 2):
                    pass


def _openings(fields: Mapping[str, Field]) -> Iterator[Values]:
    """Yield a page's values as it opens, and with each other word of a choice: of a game or a model, say."""
    opening = {name: field.default for name, field in fields.items()}
    yield opening
    for name, field in fields.items():
        if isinstance(field, Word):
            yield from ({**opening, name: word} for word in field.words[1:])
