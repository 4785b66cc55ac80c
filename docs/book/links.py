"""The preprocessor of this book, for mdBook 0.5; it also reads the form of 0.4.

Chapters include documents and plots of the repository by `{{#include PATH}}`, and all links are written so
that they are right in the source tree. Here a link to a document that has a chapter becomes a link to that
chapter; any other link leads from the built page to the file in the repository, beside which the book is
built. A link that leads nowhere ends the build.
"""

import json
import os
import re
import sys
from pathlib import Path

BOOK = Path(__file__).resolve().parent
SOURCE = BOOK / "src"
REPOSITORY = BOOK.parent.parent
BUILT = BOOK / "book"

INCLUDE = re.compile(r"\{\{#include ([^}]+)\}\}")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
PLOT = re.compile(r"!\[[^\]]*\]\((/[^)\s]+\.svg)\)")
FENCE = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.M | re.S)


def chapters(items):
    """All chapters of the book, in any depth."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def outside_code(text, change):
    """Changes what does not stand in code."""
    parts = FENCE.split(text)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


def headings(file):
    """The names by which links reach the headings of a Markdown file."""
    text = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = (re.sub(r"\]\([^)]*\)", "", title).lower() for title in re.findall(r"^#+ +(.*)$", text, re.M))
    return {re.sub(r"[^\w -]", "", title).strip().replace(" ", "-") for title in titles}


def absolute(text, folder, dead):
    """The same text with the files that its links lead to instead of the links."""

    def link(found):
        target, _, anchor = found[2].partition("#")
        if "://" in target or target.startswith("mailto:") or not target:
            return found[0]
        file = (folder / target).resolve()
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in headings(file)):
            dead.append(f"{folder}: {found[2]}")
        return f"{found[1]}{file}{'#' + anchor if anchor else ''}{found[3]}"

    return outside_code(text, lambda part: LINK.sub(link, part))


def included(text, folder, dead):
    """The text with what it includes; all links are absolute."""

    def include(found):
        file = (folder / found[1].strip()).resolve()
        if not file.is_file():
            dead.append(f"{folder}: {found[1]}")
            return ""
        content = file.read_text(encoding="utf-8")
        return absolute(content, file.parent, dead) if file.suffix == ".md" else content

    return INCLUDE.sub(include, absolute(text, folder, dead))


def drawn(found):
    """A plot, in the page itself."""
    return '<div class="plot">' + " ".join(Path(found[1]).read_text(encoding="utf-8").split()) + "</div>"


def main():
    if sys.argv[1:2] == ["supports"]:
        return 0
    _, book = json.load(sys.stdin)
    items = book["items"] if "items" in book else book["sections"]
    pages = [chapter for chapter in chapters(items) if chapter.get("path")]
    dead, home = [], {}
    for page in pages:
        path = SOURCE / page["path"]
        home[path] = path
        # A page that consists of one document is the chapter of that document.
        for name in INCLUDE.findall(page["content"]):
            home.setdefault((path.parent / name.strip()).resolve(), path)
    for page in pages:
        path = SOURCE / page["path"]

        def back(found, path=path):
            target, _, anchor = found[2].partition("#")
            if not target.startswith("/"):
                return found[0]
            file = Path(target)
            if file in home:
                to = os.path.relpath(home[file], path.parent)
            elif file.is_relative_to(SOURCE):
                to = os.path.relpath(file, path.parent)
            else:
                to = os.path.relpath(file, (BUILT / page["path"]).parent)
                to = re.sub(r"\.md$", "%2Emd", to)  # or mdBook takes it for a chapter
            return f"{found[1]}{to}{'#' + anchor if anchor else ''}{found[3]}"

        text = PLOT.sub(drawn, included(page["content"], path.parent, dead))
        page["content"] = outside_code(text, lambda part: LINK.sub(back, part))
    if dead:
        print("links that lead nowhere:", *dead, sep="\n  ", file=sys.stderr)
        return 1
    json.dump(book, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
