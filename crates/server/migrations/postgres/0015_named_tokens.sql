-- Tokens of accounts for programs: they have a name and scopes, and end when they are revoked. Of a session all four are NULL.
-- `scopes` are bits: 1 read, 2 quizzes, 4 games.
ALTER TABLE host_token ADD COLUMN id UUID;
ALTER TABLE host_token ADD COLUMN name TEXT;
ALTER TABLE host_token ADD COLUMN scopes BIGINT;
ALTER TABLE host_token ADD COLUMN last_used_at_ms BIGINT;
