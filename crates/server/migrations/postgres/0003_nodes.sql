-- Who serves: one line per running process, renewed all the time, by one clock. A hint for liveness and nothing else:
-- what may be written to a game is decided by its log.

CREATE TABLE node (
    id            UUID NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    version       TEXT NOT NULL,
    entered_at_ms BIGINT NOT NULL,
    -- The last renewal, and how many there were.
    seen_at_ms    BIGINT NOT NULL,
    beat          BIGINT NOT NULL,
    -- What it said of itself then; no lag: its bus does not work.
    games         BIGINT NOT NULL,
    sockets       BIGINT NOT NULL,
    bus_lag_us    BIGINT,
    draining      INTEGER NOT NULL
);

-- Which node was last recorded as the game's owner. It may be gone by now: no reference.
ALTER TABLE game ADD COLUMN owner UUID;
CREATE INDEX game_owner ON game (owner) WHERE owner IS NOT NULL;
