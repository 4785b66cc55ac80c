"""Writes section-11.md: fills the figures of section-11.md.j2 from the tables in the folder above.

    python3 write.py            writes the file
    python3 write.py --check    fails if the file is not what would be written

Needs Jinja2. The tables are those that `cassius lab run EXPERIMENT --out results` writes. In the template

    {% set rules = table("depth-rules") %}
    {{ rules("coupled", "10000 nodes")["games"] | whole }}
    {{ rules("coupled", "10000 nodes") | elo }}

a table is asked with the conditions of a row, in the order of its columns, and answers with all quantities
under these conditions. A row or a quantity that does not exist is an error. With `or_none=True` a row may be
missing, if each of its conditions occurs in the table: then `elo` writes a dash.
"""

import csv
import sys
from pathlib import Path

import jinja2

HERE = Path(__file__).resolve().parent
TEMPLATE = "section-11.md.j2"
RESULT = HERE / "section-11.md"


class Missing(Exception):
    """A figure that the template asks for and no table has."""


class Row(dict):
    """The quantities measured under the same conditions."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def __missing__(self, quantity):
        raise Missing(f"{self.name}: no {quantity!r}; there are {sorted(self)}")


def table(name):
    """The table of an experiment, as a function of conditions."""
    rows = {}
    with open(HERE.parent / f"{name}.csv", encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        head = next(reader)
        conditions = range(1, head.index("paper"))
        for line in reader:
            key = tuple(line[column] for column in conditions)
            row = rows.setdefault(key, Row(f"{name}.csv, {key}"))
            row[line[0]] = float(line[head.index("ours")])

    def ask(*key, or_none=False):
        key = tuple(str(part) for part in key)
        if key in rows:
            return rows[key]
        known = len(key) == len(conditions) and all(
            any(other[place] == part for other in rows) for place, part in enumerate(key)
        )
        if or_none and known:
            return None
        raise Missing(f"{name}.csv has no row {key}")

    return ask


def signed(value, digits=0):
    """A number with its sign, and a minus that is one."""
    if value == float("-inf"):
        return "−∞"
    text = f"{value:+.{digits}f}"
    return ("0" if float(text) == 0 and digits == 0 else text).replace("-", "−")


def fixed(value, digits=0):
    """A number with so many digits after the point."""
    return f"{value:.{digits}f}".replace("-", "−")


def whole(value):
    """A whole number with its thousands apart."""
    return f"{round(value):,}"


def elo(row):
    """A difference in Elo with half of its interval, or a dash if nothing was played."""
    if not row or "Elo" not in row:
        return "–"
    return signed(row["Elo"]) + (f" ± {fixed(row['±'])}" if "±" in row else "")


def main():
    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(
        loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(signed=signed, fixed=fixed, whole=whole, elo=elo)
    try:
        text = environment.get_template(TEMPLATE).render(table=table)
    except (Missing, OSError, jinja2.TemplateError) as error:
        sys.exit(f"error: {error}")
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: write.py [--check]")
    if sys.argv[1:]:
        if not RESULT.exists() or RESULT.read_text(encoding="utf-8") != text:
            sys.exit(f"error: {RESULT.name} is not what {TEMPLATE} says of the tables: run write.py")
    else:
        RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
