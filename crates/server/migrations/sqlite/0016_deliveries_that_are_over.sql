-- Keys that were replaced: each signs beside the new one for a while.
CREATE TABLE webhook_old_key (
    webhook_id BLOB NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    secret     BLOB NOT NULL,
    until_ms   INTEGER NOT NULL,
    PRIMARY KEY (webhook_id, secret)
) STRICT, WITHOUT ROWID;

-- How the latest attempt was answered: a status of HTTP; 0: there was no answer; -1: the address may not be called.
ALTER TABLE webhook_delivery ADD COLUMN answered INTEGER;
-- When its owner had it sent again: it may be older than other deliveries may wait.
ALTER TABLE webhook_delivery ADD COLUMN again_at_ms INTEGER;

-- Deliveries that have arrived or were given up, the latest of each webhook: they are listed, and can be sent again.
CREATE TABLE webhook_past (
    id            BLOB NOT NULL PRIMARY KEY,
    webhook_id    BLOB NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    game_id       BLOB NOT NULL,
    event         TEXT NOT NULL,
    seq           INTEGER NOT NULL,
    body          TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    answered      INTEGER NOT NULL,
    has_arrived   INTEGER NOT NULL,
    ended_at_ms   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_past_webhook ON webhook_past (webhook_id, ended_at_ms);
CREATE INDEX webhook_past_ended ON webhook_past (ended_at_ms);
CREATE INDEX webhook_past_game ON webhook_past (game_id);
