-- One row that the health probe changes: proof that a commit works at this moment.
CREATE TABLE probe (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    -- Commits of probes so far, and the time of the last one (milliseconds since 1970).
    count INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
INSERT INTO probe (id, count, at_ms) VALUES (1, 0, 0);
