"""A dashboard and the system's Chromium for the tests of the pages; where there is no browser, they are skipped."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Kernels are compiled where the machine has never run them, and the machine may be busy.
PATIENCE = 180_000
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium looks for its maker's hosts unless told not to.
_QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The system's Chromium."""
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium on this machine: the dashboard is not tested (apt-get install chromium)")
    return found


@pytest.fixture(scope="session")
def dashboard(chromium: str) -> Iterator[str]:
    """The address of a dashboard that runs as long as the tests."""
    with serving("--port", "0") as (process, address):
        yield address
        process.send_signal(signal.SIGINT)


class serving:  # noqa: N801 (reads as a context)
    """Runs `tonlab explore` and tells its address."""

    def __init__(self, *arguments: str) -> None:
        command = [str(Path(sys.executable).with_name("tonlab")), "explore", "--no-browser", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self) -> tuple["subprocess.Popen[str]", str]:
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.process.stdout.readline())
        assert found, self.process.communicate()
        return self.process, found[0].rstrip("/")

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """The browser, driven by Playwright."""
    api = pytest.importorskip("playwright.sync_api", reason="no Playwright: the dashboard is not tested")
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*_QUIET, *root])
        yield browser
        browser.close()


@pytest.fixture
def tab(browser: Any, dashboard: str) -> Iterator[Any]:
    """A function that opens a page of the dashboard in a tab of its own."""
    contexts = []

    def open_tab(link: str, *, width: int = 1400, dark: bool = False) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            base_url=dashboard,
            has_touch=width < 640,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(link)
        page.wait_for_selector(".answers > *")
        return page

    yield open_tab
    for context in contexts:
        context.close()
