-- Owners among the accounts, and webhooks with what is still to be sent to them.

-- Of the accounts of before, the oldest that can be signed in to is an owner: it was made by the one who set the service up. The others
-- are hosts. The account of the fixed token, whose key begins with a control character, is no person's.
ALTER TABLE host ADD COLUMN is_owner INTEGER NOT NULL DEFAULT 0;
UPDATE host SET is_owner = 1 WHERE id = (
    SELECT id FROM host WHERE disabled_at_ms IS NULL AND name_key <> chr(1) || 'script' ORDER BY created_at_ms, id LIMIT 1);

-- `secret` is the key of the signatures. `failing_since_ms` is NULL while the latest delivery succeeded.
CREATE TABLE webhook (
    id               UUID    NOT NULL PRIMARY KEY,
    host_id          UUID    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    url              TEXT    NOT NULL,
    secret           BYTEA   NOT NULL,
    round_released   INTEGER NOT NULL,
    game_ended       INTEGER NOT NULL,
    created_at_ms    BIGINT  NOT NULL,
    failing_since_ms BIGINT,
    disabled_at_ms   BIGINT
);
CREATE INDEX webhook_host ON webhook (host_id);

-- The outbox. `seq` is the row of the log that holds the event. `body` is NULL until the first attempt. No foreign keys: the
-- transaction of a log must not wait for a webhook that is being deleted.
CREATE TABLE webhook_delivery (
    id               UUID    NOT NULL PRIMARY KEY,
    webhook_id       UUID    NOT NULL,
    game_id          UUID    NOT NULL,
    event            TEXT    NOT NULL,
    seq              BIGINT  NOT NULL,
    body             TEXT,
    created_at_ms    BIGINT  NOT NULL,
    attempts         INTEGER NOT NULL DEFAULT 0,
    due_at_ms        BIGINT  NOT NULL,
    claimed_until_ms BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at_ms);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id);
CREATE INDEX webhook_delivery_game ON webhook_delivery (game_id);

-- Runs within the append that changes the phase, so a delivery is stored if and only if its event is. A row of the log may hold
-- several changes of the phase: whether it released a round is decided when the row is read. At most 1,000 deliveries wait for a
-- webhook.
CREATE FUNCTION webhook_enqueue() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    now_ms BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    last_seq BIGINT := COALESCE((SELECT max(seq) FROM game_log WHERE game_id = NEW.id), 0);
    may_be_release BOOLEAN := NEW.phase = 'leaderboard' OR OLD.phase = 'round_review'
        OR (OLD.phase = 'question' AND NEW.phase = 'ended');
BEGIN
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, created_at_ms, due_at_ms)
    SELECT gen_random_uuid(), w.id, NEW.id, e.event, last_seq, now_ms, now_ms
    FROM webhook w CROSS JOIN (VALUES ('round.released'), ('game.ended')) AS e (event)
    WHERE w.host_id = NEW.host_id AND w.disabled_at_ms IS NULL
        AND ((e.event = 'round.released' AND w.round_released = 1 AND may_be_release)
            OR (e.event = 'game.ended' AND w.game_ended = 1 AND NEW.phase = 'ended'))
        AND (SELECT count(*) FROM webhook_delivery d WHERE d.webhook_id = w.id) < 1000;
    RETURN NULL;
END
$$;
CREATE TRIGGER webhook_enqueue AFTER UPDATE OF phase ON game FOR EACH ROW
WHEN (OLD.phase <> NEW.phase AND (NEW.phase IN ('leaderboard', 'ended') OR OLD.phase = 'round_review'))
EXECUTE FUNCTION webhook_enqueue();
