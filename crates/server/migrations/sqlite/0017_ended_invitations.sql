-- When the invitations of a game's co-hosts ended with the sessions of its account, until the service has removed the co-hosts: a
-- command on the machine ends them as well, and cannot write to the log of a game that is being played.

ALTER TABLE game ADD COLUMN invitations_ended_at_ms INTEGER;
CREATE INDEX game_invitations_ended ON game (invitations_ended_at_ms) WHERE invitations_ended_at_ms IS NOT NULL;
