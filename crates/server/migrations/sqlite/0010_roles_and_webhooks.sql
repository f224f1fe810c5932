-- Owners among the accounts, and webhooks with what is still to be sent to them.

-- Of the accounts of before, the oldest that can be signed in to is an owner: it was made by the one who set the service up. The others
-- are hosts. The account of the fixed token, whose key begins with a control character, is no person's.
ALTER TABLE host ADD COLUMN is_owner INTEGER NOT NULL DEFAULT 0;
UPDATE host SET is_owner = 1 WHERE id = (
    SELECT id FROM host WHERE disabled_at_ms IS NULL AND name_key <> char(1) || 'script' ORDER BY created_at_ms, id LIMIT 1);

-- `secret` is the key of the signatures. `failing_since_ms` is NULL while the latest delivery succeeded.
CREATE TABLE webhook (
    id               BLOB    NOT NULL PRIMARY KEY,
    host_id          BLOB    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    url              TEXT    NOT NULL,
    secret           BLOB    NOT NULL,
    round_released   INTEGER NOT NULL,
    game_ended       INTEGER NOT NULL,
    created_at_ms    INTEGER NOT NULL,
    failing_since_ms INTEGER,
    disabled_at_ms   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_host ON webhook (host_id);

-- The outbox. `seq` is the row of the log that holds the event. `body` is NULL until the first attempt. No foreign keys: the
-- transaction of a log must not wait for a webhook that is being deleted.
CREATE TABLE webhook_delivery (
    id               BLOB    NOT NULL PRIMARY KEY,
    webhook_id       BLOB    NOT NULL,
    game_id          BLOB    NOT NULL,
    event            TEXT    NOT NULL,
    seq              INTEGER NOT NULL,
    body             TEXT,
    created_at_ms    INTEGER NOT NULL,
    attempts         INTEGER NOT NULL DEFAULT 0,
    due_at_ms        INTEGER NOT NULL,
    claimed_until_ms INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at_ms);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id);
CREATE INDEX webhook_delivery_game ON webhook_delivery (game_id);

-- Runs within the append that changes the phase, so a delivery is stored if and only if its event is. A row of the log may hold
-- several changes of the phase: whether it released a round is decided when the row is read. At most 1,000 deliveries wait for a
-- webhook.
CREATE TRIGGER webhook_round_released AFTER UPDATE OF phase ON game
WHEN OLD.phase <> NEW.phase AND (NEW.phase = 'leaderboard' OR OLD.phase = 'round_review'
    OR (OLD.phase = 'question' AND NEW.phase = 'ended'))
BEGIN
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, created_at_ms, due_at_ms)
    SELECT randomblob(16), w.id, NEW.id, 'round.released',
        COALESCE((SELECT max(seq) FROM game_log WHERE game_id = NEW.id), 0),
        CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM webhook w
    WHERE w.host_id = NEW.host_id AND w.disabled_at_ms IS NULL AND w.round_released = 1
        AND (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = w.id) < 1000;
END;

CREATE TRIGGER webhook_game_ended AFTER UPDATE OF phase ON game
WHEN OLD.phase <> NEW.phase AND NEW.phase = 'ended'
BEGIN
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, created_at_ms, due_at_ms)
    SELECT randomblob(16), w.id, NEW.id, 'game.ended',
        COALESCE((SELECT max(seq) FROM game_log WHERE game_id = NEW.id), 0),
        CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM webhook w
    WHERE w.host_id = NEW.host_id AND w.disabled_at_ms IS NULL AND w.game_ended = 1
        AND (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = w.id) < 1000;
END;
