-- A study of a chess position. One file holds one study.
--
-- A study is the result of its changes, made in the order of their numbers. Positions, moves and judgements
-- are all that a reader needs to follow it; `changed` puts them in order.

-- Settings: `root` (FEN), `growth`, and the parameters of the growth by their full names.
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The positions, in the order in which they were added; 0 is the root. Lines that lead to the same position
-- share it. `fen` has the counters of the line by which it was found.
CREATE TABLE position (id INTEGER PRIMARY KEY, fen TEXT NOT NULL);

-- The engines that judged. `name` is what the engine calls itself; `options` are those that were set.
CREATE TABLE engine (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    options TEXT NOT NULL,
    UNIQUE (name, options)
);

-- What was found about positions. A judgement holds for the moves that are not in `without`, UCI moves in
-- alphabetical order. Several may be about the same. `cp` or `mate` is the value for the side to move.
CREATE TABLE judgement (
    id INTEGER PRIMARY KEY,
    epd TEXT NOT NULL,          -- the position without counters
    without TEXT NOT NULL,      -- the moves that were left out
    engine INTEGER NOT NULL REFERENCES engine (id),
    effort INTEGER NOT NULL,    -- the nodes that were allowed
    nodes INTEGER NOT NULL,     -- the nodes that were searched for this study; 0 if it was imported
    depth INTEGER NOT NULL,     -- the iteration that was reached; 0 if it was not told
    cp INTEGER,                 -- hundredths of a pawn
    mate INTEGER,               -- moves to mate; negative if the side to move is mated
    win INTEGER,                -- wins, draws and losses in 1,000 games, if the engine tells them
    draw INTEGER,
    loss INTEGER,
    line TEXT NOT NULL,         -- the best line in UCI notation
    proven INTEGER NOT NULL     -- 1 if the value is certain
);
CREATE INDEX judgement_of ON judgement (epd, without);

-- The changes, in order. `kind` says which columns count:
-- followed: `move` from `position` leads to position `target`, or to a repetition if that is NULL;
-- judged:   the moves of `position` beside the first `followed` ones were judged by `judgement`;
-- excluded: `move` from `position` is left out; included: it counts again;
-- preferred: the line to `position` is preferred; ordinary: it no longer is.
CREATE TABLE changed (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL
        CHECK (kind IN ('followed', 'judged', 'excluded', 'included', 'preferred', 'ordinary')),
    position INTEGER NOT NULL REFERENCES position (id),
    move TEXT,
    target INTEGER REFERENCES position (id),
    followed INTEGER,
    judgement INTEGER REFERENCES judgement (id)
);

CREATE INDEX changed_at ON changed (position);

-- What was asked for while the study grew, and whether it was done.
CREATE TABLE wish (
    id INTEGER PRIMARY KEY,
    line TEXT NOT NULL,         -- the moves from the root to a position, in UCI notation
    what TEXT NOT NULL,         -- include MOVE, exclude MOVE, prefer, ordinary
    done TEXT                   -- NULL: not yet; otherwise what came of it
);
