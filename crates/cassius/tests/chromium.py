"""Chromium for the tests of pages."""

import shutil

from playwright.sync_api import sync_playwright


def launch():
    """Returns Playwright and a running Chromium of this system."""
    names = ["chromium", "google-chrome", "chromium-browser"]
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        raise SystemExit("error: the test of the page needs Chromium (Debian: chromium)")
    playwright = sync_playwright().start()
    return playwright, playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
