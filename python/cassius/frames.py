"""Makes tables of what was found, for pandas."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Tuple, Union

from .analysis import Analysis, Line, PlanDepths
from .games import GameAnalysis
from .insight import AnnotatedGame, AnnotatedMove, Explanation, Judged, Safety, Value
from .proofs import Established, HeldPlan
from .score import Score
from .study import Candidate

if TYPE_CHECKING:
    import pandas

PARTS: Dict[Tuple[Any, str], Any] = {
    (Line, "score"): Score,
    (Line, "plans"): PlanDepths,
    (AnnotatedMove, "safety"): Safety,
    (Candidate, "score"): Score,
    (Established, "at_least"): HeldPlan,
    (Established, "at_most"): HeldPlan,
}
"""What the fields have that may be absent. Their columns are there all the same."""


def rows(results: Any) -> List[Dict[str, Any]]:
    """Returns rows of plain values: those of `frame`, without pandas.

    >>> from cassius import analyse
    >>> row, = rows([analyse("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", depth=2)])
    >>> row["fen"], row["moves"], row["score.mate"]
    ('6k1/5ppp/8/8/8/8/8/R6K w - - 0 1', 'a1a8', 1)
    """
    if dataclasses.is_dataclass(results) or not isinstance(results, Iterable):
        results = [results]
    found: List[Dict[str, Any]] = []
    for result in results:
        if isinstance(result, Analysis):
            about = {"fen": result.fen, "turn": result.turn, "recipe": result.recipe}
            found.extend({**about, **_flat(line)} for line in result.lines)
        elif isinstance(result, GameAnalysis):
            found.extend({"recipe": result.recipe, **_flat(line)} for line in result.lines)
        elif isinstance(result, AnnotatedGame):
            found.extend(_flat(move) for move in result.moves)
        elif isinstance(result, Explanation):
            found.extend(rows(result.own))
        elif isinstance(result, Judged):
            found.extend({"fen": result.fen, "turn": result.turn, **_flat(move)} for move in result.moves)
        elif dataclasses.is_dataclass(result) and not isinstance(result, type):
            found.append(_flat(result))
        else:
            raise TypeError(f"a row is made of what this package has found, not of {result!r}")
    return found


def _is_texts(value: Any, field: dataclasses.Field[Any]) -> bool:
    """Whether a value is a tuple of texts. What an empty one is of, its field says."""
    if not isinstance(value, tuple):
        return False
    return all(isinstance(part, str) for part in value) if value else "Tuple[str, ...]" in str(field.type)


def _flat(result: Any, prefix: str = "") -> Dict[str, Any]:
    """Returns the fields of a result as columns; `score.mate` is the field `mate` of the field `score`."""
    columns: Dict[str, Any] = {}
    for field in dataclasses.fields(result):
        value, name = getattr(result, field.name), prefix + field.name
        if isinstance(value, (Score, Value)):
            columns.update(_flat(value, name + "."))
        elif _is_texts(value, field):
            columns[name] = " ".join(value)
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            columns.update(_flat(value, name + "."))
        elif value is None and (type(result), field.name) in PARTS:
            parts = dataclasses.fields(PARTS[type(result), field.name])
            columns.update((f"{name}.{part.name}", None) for part in parts)
        else:
            columns[name] = value
    return columns


def frame(results: Union[Any, Iterable[Any]]) -> pandas.DataFrame:
    """Returns a table of one result or of several; it needs pandas.

    | result | a row for |
    |---|---|
    | `Analysis`, `GameAnalysis` | each line |
    | `Explanation`, `Judged` | each legal move |
    | `AnnotatedGame` | each move played |
    | any other | itself |

    Results of one kind always have the same columns; what is absent is `None` there.

    Raises:
        ImportError: pandas is not installed.
        TypeError: something that this package has not found.
    """
    import pandas

    return pandas.DataFrame(rows(results))
