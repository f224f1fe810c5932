-- The version of the log that a node reads and writes. A node of a version before this table was changed says nothing: it is of the
-- first.
ALTER TABLE node ADD COLUMN log_version BIGINT NOT NULL DEFAULT 1;
