-- Who serves: one line per running process, renewed all the time, by one clock. A hint for liveness and nothing else:
-- what may be written to a game is decided by its log.

CREATE TABLE node (
    id            BLOB NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    version       TEXT NOT NULL,
    entered_at_ms INTEGER NOT NULL,
    -- The last renewal, and how many there were.
    seen_at_ms    INTEGER NOT NULL,
    beat          INTEGER NOT NULL,
    -- What it said of itself then; no lag: its bus does not work.
    games         INTEGER NOT NULL,
    sockets       INTEGER NOT NULL,
    bus_lag_us    INTEGER,
    draining      INTEGER NOT NULL
) STRICT;

-- Which node was last recorded as the game's owner. It may be gone by now: no reference.
ALTER TABLE game ADD COLUMN owner BLOB;
CREATE INDEX game_owner ON game (owner) WHERE owner IS NOT NULL;
