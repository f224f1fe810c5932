-- Accounts that nobody may sign in to, when games were closed, and games that may not be in any node's memory.

ALTER TABLE host ADD COLUMN disabled_at_ms BIGINT;

-- NULL also for games that were closed by a version before this one: then about `active_at_ms`.
ALTER TABLE game ADD COLUMN closed_at_ms BIGINT;
CREATE INDEX game_closed ON game (closed_at_ms) WHERE closed = 1;
CREATE INDEX game_ended ON game (ended_at_ms) WHERE ended_at_ms IS NOT NULL;

-- A game whose rows are about to be deleted or rewritten. Every node drops it from memory and does not load it before
-- `until_ms`. `holder` is random: only one maintenance task at a time works on a game.
CREATE TABLE game_hold (
    game_id    UUID    NOT NULL PRIMARY KEY,
    holder     BIGINT  NOT NULL,
    held_at_ms BIGINT  NOT NULL,
    until_ms   BIGINT  NOT NULL
);
CREATE INDEX game_hold_time ON game_hold (held_at_ms);
