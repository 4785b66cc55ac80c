"""Chromium for the tests of pages."""

import shutil

from playwright.sync_api import sync_playwright


def open_file(test, path, width, height, scheme):
    """Opens a page from a file in the browser of a test. What goes wrong is listed in `test.wrong`: errors of
    the page, and whatever it asks of a network."""
    context = test.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    test.addCleanup(context.close)
    page = context.new_page()
    test.wrong = []

    def on_console(message):
        if message.type == "error":
            test.wrong.append(message.text)

    def on_request(request):
        if not request.url.startswith("file:"):
            test.wrong.append(request.url)

    page.on("console", on_console)
    page.on("pageerror", lambda error: test.wrong.append(str(error)))
    page.on("request", on_request)
    page.on("dialog", lambda dialog: test.wrong.append(dialog.message))
    page.goto(path.as_uri())
    return page


def launch():
    """Returns Playwright and a running Chromium of this system."""
    names = ["chromium", "google-chrome", "chromium-browser"]
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        raise SystemExit("error: the test of the page needs Chromium (Debian: chromium)")
    playwright = sync_playwright().start()
    return playwright, playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
