-- One row that the health probe changes: proof that a commit works at this moment.
CREATE TABLE probe (
    id    integer NOT NULL PRIMARY KEY CHECK (id = 1),
    -- Commits of probes so far, and the time of the last one (milliseconds since 1970).
    count bigint NOT NULL,
    at_ms bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO probe (id, count, at_ms) VALUES (1, 0, 0);
