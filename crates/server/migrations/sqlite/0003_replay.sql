-- When each row of a log was committed, and whether a results link shows the replay.

-- Milliseconds since 1970, by the clock of the service; its checksum does not cover it. NULL: written by a version without times.
ALTER TABLE game_log ADD COLUMN at_ms INTEGER;

ALTER TABLE results_link ADD COLUMN replay INTEGER NOT NULL DEFAULT 0;
