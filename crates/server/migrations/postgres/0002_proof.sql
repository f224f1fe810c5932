-- Whether a results link gives the proof of a sealed game.
ALTER TABLE results_link ADD COLUMN proof INTEGER NOT NULL DEFAULT 0;
