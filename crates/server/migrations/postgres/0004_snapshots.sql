-- Snapshots of games, checksums of log rows, and which games are damaged.

-- CRC-32 of the game's id, the row's numbers and its body. NULL: written by a version without checksums.
ALTER TABLE game_log ADD COLUMN checksum BIGINT;

-- 1: the log could not be read when it was last needed.
ALTER TABLE game ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0;

-- Copies of a game's state behind a row of its log (`seq`, `batch`), in parts: never the truth, which is the log.
-- `name` is random, one per written copy. `parts` and `checksum` stand in the last part only: a copy without it is incomplete.
CREATE TABLE game_snapshot (
    game_id  UUID    NOT NULL,
    name     BIGINT  NOT NULL,
    part     BIGINT  NOT NULL,
    seq      BIGINT  NOT NULL,
    batch    BIGINT  NOT NULL,
    next_seq BIGINT  NOT NULL,
    format   BIGINT  NOT NULL,
    parts    BIGINT,
    checksum BIGINT,
    body     BYTEA   NOT NULL,
    PRIMARY KEY (game_id, name, part)
);
