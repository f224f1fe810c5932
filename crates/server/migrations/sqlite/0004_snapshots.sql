-- Snapshots of games, checksums of log rows, and which games are damaged.

-- CRC-32 of the game's id, the row's numbers and its body. NULL: written by a version without checksums.
ALTER TABLE game_log ADD COLUMN checksum INTEGER;

-- 1: the log could not be read when it was last needed.
ALTER TABLE game ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0;

-- Copies of a game's state behind a row of its log (`seq`, `batch`), in parts: never the truth, which is the log.
-- `name` is random, one per written copy. `parts` and `checksum` stand in the last part only: a copy without it is incomplete.
CREATE TABLE game_snapshot (
    game_id  BLOB    NOT NULL,
    name     INTEGER NOT NULL,
    part     INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    batch    INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    format   INTEGER NOT NULL,
    parts    INTEGER,
    checksum INTEGER,
    -- Last, so that the columns before it are read without it.
    body     BLOB    NOT NULL,
    PRIMARY KEY (game_id, name, part)
) STRICT;
