-- Which game a game follows in the same room, so that players and screens of that game find their places in this one. The game before may
-- be gone by now: no reference.

ALTER TABLE game ADD COLUMN follows UUID;
CREATE INDEX game_follows ON game (follows) WHERE follows IS NOT NULL;
