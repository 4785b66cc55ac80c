"""Writes section-11.md: fills the figures of section-11.md.j2 from the tables in the folder above.

    python3 write.py            writes the file
    python3 write.py --check    fails if the file is not what would be written, or the page not made of it

Needs Jinja2. The tables are those that `cassius lab run EXPERIMENT --out results` writes. In the template

    {% set rules = table("depth-rules") %}
    {{ rules("coupled", "10000 nodes")["games"] | whole }}
    {{ rules("coupled", "10000 nodes") | elo }}

a table is asked with the conditions of a row, in the order of its columns, and answers with all quantities
under these conditions. What it does not have is an error. Of a table that is `unfinished=True` it is written
as a dash and named on standard error, and the page says at its head how many figures are missing. With
`or_none=True` a row may be missing, if each of its conditions occurs in the table: it was not to be measured,
and `elo` writes a dash. What the text says of figures in words is checked: `sure(CONDITION, …)` writes
nothing, and is an error if a condition does not hold.
"""

import csv
import hashlib
import json
import math
import re
import statistics
import sys
import textwrap
from pathlib import Path

import jinja2

HERE = Path(__file__).resolve().parent
TEMPLATE = "section-11.md.j2"
RESULT = HERE / "section-11.md"
PAGE = HERE / "section-11.html"
# Where the template has the number of missing figures.
MARK = "NOT FINISHED\n\n"


class Missing(Exception):
    """A figure that the template asks for and a table does not have."""


# What the template asks for and unfinished tables do not have.
missing = []


class Row(dict):
    """The quantities measured under the same conditions."""

    def __init__(self, name, unfinished, exists=True):
        super().__init__()
        self.name = name
        self.unfinished = unfinished
        self.exists = exists

    def __missing__(self, quantity):
        what = f"{self.name}: no {quantity!r}" + (f"; there are {sorted(self)}" if self.exists else "")
        if not self.unfinished:
            raise Missing(what)
        missing.append(what)


def rows_of(name, unfinished):
    """Returns the number of conditions of a table, and its rows by their conditions."""
    rows = {}
    try:
        file = open(HERE.parent / f"{name}.csv", encoding="utf-8", newline="")
    except FileNotFoundError:
        if not unfinished:
            raise
        return None, rows
    with file:
        reader = csv.reader(file)
        head = next(reader)
        conditions = range(1, head.index("paper"))
        for line in reader:
            key = tuple(line[column] for column in conditions)
            row = rows.setdefault(key, Row(f"{name}.csv, {key}", unfinished))
            row[line[0]] = float(line[head.index("ours")])
    return len(conditions), rows


def table(name, unfinished=False):
    """The table of an experiment, as a function of conditions."""
    count, rows = rows_of(name, unfinished)

    def ask(*key, or_none=False):
        key = tuple(str(part) for part in key)
        if key in rows:
            return rows[key]
        if count is not None and len(key) != count:
            raise Missing(f"{name}.csv has {count} conditions, and {TEMPLATE} asks for {key}")
        known = all(any(other[place] == part for other in rows) for place, part in enumerate(key))
        if or_none and known:
            return None
        return Row(f"{name}.csv, {key}", unfinished, exists=False)

    def last(*first):
        """The last conditions of all rows whose others are these, in the order of the table."""
        return [key[-1] for key in rows if key[:-1] == first]

    ask.last = last
    return ask


DASH = "–"


def signed(value, digits=0):
    """A number with its sign, and a minus that is one."""
    if value is None:
        return DASH
    if value == float("-inf"):
        return "−∞"
    text = f"{value:+.{digits}f}"
    return ("0" if float(text) == 0 and digits == 0 else text).replace("-", "−")


def fixed(value, digits=0):
    """A number with so many digits after the point."""
    return DASH if value is None else f"{value:.{digits}f}".replace("-", "−")


def whole(value):
    """A whole number with its thousands apart."""
    return DASH if value is None else f"{round(value):,}"


# Beyond this difference an interval of Elo is far from symmetric.
LOPSIDED = 400


def elo(row, digits=0):
    """A difference in Elo with half of its interval, or a dash if nothing was played."""
    if row is None or (row.exists and "Elo" not in row):
        return DASH
    even = "±" in row and abs(row["Elo"]) <= LOPSIDED
    return signed(row["Elo"], digits) + (f" ± {fixed(row['±'], digits)}" if even else "")


def elo_by_line(row):
    """The same with the interval that keeps games from book lines of one name together."""
    if row is None or (row.exists and "Elo" not in row):
        return DASH
    return signed(row["Elo"], 1) + (f" ± {fixed(row['± by line'], 1)}" if "± by line" in row else "")


def minus(row, other):
    """The difference of two independent differences in Elo."""
    result = Row(f"{row.name} less {other.name}", row.unfinished or other.unfinished)
    if "±" in row and "±" in other:
        result["Elo"] = row["Elo"] - other["Elo"]
        result["±"] = math.hypot(row["±"], other["±"])
    return result


def paired(name, first, second):
    """The difference in Elo of two players against the same opponent, by ten parts of their matches that have
    the same openings, from what is kept of the experiment."""
    parts = {first: {}, second: {}}
    with open(HERE.parent / f"{name}.jsonl", encoding="utf-8") as file:
        for line in map(json.loads, file):
            players, rest = line["key"].split(": ", 1)
            player, opponent = (of.split(" (")[0] for of in players.split(" against "))
            if player in parts and opponent not in parts:
                pairs = line["value"]
                points = sum(half * count for half, count in enumerate(pairs)) / 4 / sum(pairs)
                parts[player][rest.split(",")[0]] = -400 * math.log10(1 / points - 1)
    differences = [parts[first][part] - parts[second][part] for part in parts[first]]
    if len(differences) != 10:
        raise Missing(f"{name}.jsonl: {len(differences)} parts, and Student's t is that of 10")
    result = Row(f"{name}.jsonl, {first} less {second}", unfinished=False)
    result["Elo"] = statistics.mean(differences)
    result["±"] = 2.262 * statistics.stdev(differences) / math.sqrt(10)
    return result


def complete(row, games):
    """The row, if so many games were played; else one of which nothing is known."""
    return row if row.get("games", 0) >= games else Row(f"{row.name}: all {games} games", True, exists=False)


def ends(row):
    """The ends of an interval, or None if it was not measured."""
    for quantity in ("Elo", "fewer nodes, doublings"):
        if row and quantity in row and "±" in row:
            return row[quantity] - row["±"], row[quantity] + row["±"]
    return None


def contains_zero(row):
    """Whether an interval contains zero. What is said of intervals may be said of those not yet measured."""
    return ends(row) is None or ends(row)[0] <= 0 <= ends(row)[1]


def above_zero(row):
    """Whether an interval lies above zero."""
    return ends(row) is None or ends(row)[0] > 0


def below_zero(row):
    """Whether an interval lies below zero."""
    return ends(row) is None or ends(row)[1] < 0


def sure(*conditions):
    """Writes nothing if the conditions hold."""
    if not all(conditions):
        raise Missing(f"{TEMPLATE} says what does not hold any more: {conditions}")
    return ""


def holm(uses, questions, ways):
    """The questions and ways with a gain beyond chance at 5 %, allowing for their number (Holm 1979)."""
    chances = {}
    for question in questions:
        for way in ways:
            row = uses(question, way)
            error = row["± of that"] / 1.96
            chances[question, way] = math.erfc(abs(row["more than usual signs"]) / error / math.sqrt(2))
    remain = []
    for rank, key in enumerate(sorted(chances, key=chances.get)):
        if chances[key] > 0.05 / (len(chances) - rank):
            break
        remain.append(key)
    return sorted(remain)


def refilled(block):
    """The paragraph or list with lines of at most 110 characters."""
    if not block.strip() or block.lstrip().startswith(("|", "#", "```")):
        return block
    if "| --- |" in block:
        raise Missing(f"a table is part of a paragraph: {block.strip()[:60]} …")
    wrap = textwrap.TextWrapper(width=110, break_long_words=False, break_on_hyphens=False)
    lines = []
    marked = re.match(r"- |\d+\. ", block.strip("\n"))
    for item in re.split(r"\n(?=- |\d+\. )", block.strip("\n")) if marked else [block]:
        marker = re.match(r"- |\d+\. |", item).group() if marked else ""
        wrap.subsequent_indent = " " * len(marker)
        lines += wrap.wrap(" ".join(item.split()))
    return "\n".join(lines)


def filled():
    """Returns the text of the page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )
    filters = (signed, fixed, whole, elo, elo_by_line, minus, complete, contains_zero, above_zero, below_zero)
    for of in filters:
        environment.filters[of.__name__] = of
    text = environment.get_template(TEMPLATE).render(table=table, paired=paired, sure=sure, holm=holm)
    text = "\n\n".join(refilled(block) for block in text.rstrip("\n").split("\n\n")) + "\n"
    notice = f"**Not finished: {len(missing)} figures are not yet measured. They are shown as {DASH}.**\n\n"
    return text.replace(MARK, notice if missing else "")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: write.py [--check]")
    try:
        text = filled()
    except (Missing, OSError, jinja2.TemplateError) as error:
        sys.exit(f"error: {error}")
    if sys.argv[1:]:
        if not RESULT.exists() or RESULT.read_text(encoding="utf-8") != text:
            sys.exit(f"error: {RESULT.name} is not what {TEMPLATE} says of the tables: run write.py")
        mark = hashlib.sha256(text.encode()).hexdigest()
        if not PAGE.exists() or mark not in PAGE.read_text(encoding="utf-8"):
            sys.exit(f"error: {PAGE.name} is not made of this {RESULT.name}: run make")
        return
    for what in missing:
        print(f"missing: {what}", file=sys.stderr)
    RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
