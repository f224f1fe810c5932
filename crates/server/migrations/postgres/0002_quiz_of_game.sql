-- Which quiz a game was made from, so that a host sees when a quiz was last played and can run it again. Games of before
-- do not know it, and a quiz may be gone by now: no reference.

ALTER TABLE game ADD COLUMN quiz_id UUID;
CREATE INDEX game_quiz ON game (host_id, quiz_id, created_at_ms) WHERE quiz_id IS NOT NULL;
