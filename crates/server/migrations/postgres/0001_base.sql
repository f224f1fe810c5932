-- The tables of 0.1.0. The whole service on many machines: accounts, quizzes, games, and the log that is a game's truth.
-- Times are milliseconds since 1970; 0/1 are no and yes, so that both engines share their statements.

-- Accounts. The key of the fixed token's account begins with a control character, so that no name of a person is equal to it.
CREATE TABLE host (
    id             UUID    NOT NULL PRIMARY KEY,
    name           TEXT    NOT NULL,
    name_key       TEXT    NOT NULL,
    password_hash  TEXT,
    created_at_ms  BIGINT  NOT NULL,
    -- Since when signing in is refused.
    disabled_at_ms BIGINT,
    is_owner       INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX host_name_key ON host (name_key);

-- Sessions, and tokens for programs: these have a name and scopes, and end when they are revoked. Of a session the last four
-- columns are NULL. `hash` is the SHA-256 of the token, which is stored nowhere. `scopes` are bits: 1 read, 2 quizzes, 4 games.
CREATE TABLE host_token (
    hash            BYTEA  NOT NULL PRIMARY KEY,
    host_id         UUID   NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    created_at_ms   BIGINT NOT NULL,
    expires_at_ms   BIGINT NOT NULL,
    id              UUID,
    name            TEXT,
    scopes          BIGINT,
    last_used_at_ms BIGINT
);
CREATE INDEX host_token_host ON host_token (host_id);
CREATE INDEX host_token_expires ON host_token (expires_at_ms);

-- Accounts that sign in with OpenID Connect.
CREATE TABLE host_identity (
    issuer        TEXT   NOT NULL,
    subject       TEXT   NOT NULL,
    host_id       UUID   NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX host_identity_host ON host_identity (host_id);

-- Such sign-ins that are under way. `state` and `verifier` are SHA-256 of what the browser holds. A row is deleted by its use.
CREATE TABLE sign_in_attempt (
    state         BYTEA  NOT NULL PRIMARY KEY,
    verifier      BYTEA  NOT NULL,
    nonce         TEXT   NOT NULL,
    created_at_ms BIGINT NOT NULL
);
CREATE INDEX sign_in_attempt_time ON sign_in_attempt (created_at_ms);

-- What a request with an Idempotency-Key has created, for 24 h, so that a repeated request creates nothing.
-- `name` is the SHA-256 of the key, `request` that of the route and the body, `created` the id of the quiz or the game.
CREATE TABLE creation_key (
    host_id       UUID   NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    name          BYTEA  NOT NULL,
    request       BYTEA  NOT NULL,
    created       UUID   NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (host_id, name)
);
CREATE INDEX creation_key_time ON creation_key (host_id, created_at_ms);

-- `body` is the quiz in JSON, `tags` a JSON array of texts.
CREATE TABLE quiz (
    id             UUID   NOT NULL PRIMARY KEY,
    host_id        UUID   NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    title          TEXT   NOT NULL,
    round_count    BIGINT NOT NULL,
    question_count BIGINT NOT NULL,
    body           TEXT   NOT NULL,
    created_at_ms  BIGINT NOT NULL,
    updated_at_ms  BIGINT NOT NULL,
    tags           TEXT   NOT NULL DEFAULT '[]'
);
CREATE INDEX quiz_host ON quiz (host_id, updated_at_ms);

-- What a search looks through, folded: a row for a quiz, with its titles, and one for each of its questions. Derived from `quiz`; a
-- row whose `updated_at_ms` differs from that of its quiz is out of date. Every line of `tags` is a tag.
CREATE TABLE quiz_search (
    quiz_id       UUID   NOT NULL PRIMARY KEY REFERENCES quiz (id) ON DELETE CASCADE,
    host_id       UUID   NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    words         TEXT   NOT NULL,
    tags          TEXT   NOT NULL
);
CREATE INDEX quiz_search_host ON quiz_search (host_id);

CREATE TABLE question_search (
    host_id     UUID   NOT NULL,
    quiz_id     UUID   NOT NULL REFERENCES quiz (id) ON DELETE CASCADE,
    place       BIGINT NOT NULL,
    question_id UUID   NOT NULL,
    words       TEXT   NOT NULL,
    tags        TEXT   NOT NULL,
    -- The question in JSON.
    body        TEXT   NOT NULL,
    PRIMARY KEY (host_id, quiz_id, place)
);
CREATE INDEX question_search_quiz ON question_search (quiz_id);

-- One line per game. Phase, end and closing are copied from the log, in the log's own statement.
-- A game holds its code until 24 h after its end; the index makes two holders impossible.
CREATE TABLE game (
    id                      UUID    NOT NULL PRIMARY KEY,
    host_id                 UUID    NOT NULL REFERENCES host (id),
    code                    TEXT    NOT NULL,
    code_held               INTEGER NOT NULL DEFAULT 1,
    title                   TEXT    NOT NULL,
    phase                   TEXT    NOT NULL,
    closed                  INTEGER NOT NULL DEFAULT 0,
    created_at_ms           BIGINT  NOT NULL,
    ended_at_ms             BIGINT,
    -- About when its log last grew; exact to a minute, so that a busy game does not write this line with every row.
    active_at_ms            BIGINT  NOT NULL,
    -- The quiz that it was made from, the node that was last recorded as its owner, and the game that it follows in the same
    -- room, so that players and screens of that game find their places in this one. No references: these may be deleted first.
    quiz_id                 UUID,
    owner                   UUID,
    follows                 UUID,
    -- 1: the log could not be read when it was last needed.
    damaged                 INTEGER NOT NULL DEFAULT 0,
    -- NULL also for games that the first pre-releases closed: then about `active_at_ms`.
    closed_at_ms            BIGINT,
    -- 1: the rows of `question_asked` are there.
    counted                 INTEGER NOT NULL DEFAULT 0,
    -- When the invitations of its co-hosts ended with the sessions of its account, until the service has removed the co-hosts: a
    -- command on the machine ends them as well, and cannot write to the log of a game that is being played.
    invitations_ended_at_ms BIGINT
);
CREATE UNIQUE INDEX game_code_held ON game (code) WHERE code_held = 1;
CREATE INDEX game_host ON game (host_id, created_at_ms);
CREATE INDEX game_live ON game (host_id) WHERE closed = 0 AND phase <> 'ended';
CREATE INDEX game_quiz ON game (host_id, quiz_id, created_at_ms) WHERE quiz_id IS NOT NULL;
CREATE INDEX game_owner ON game (owner) WHERE owner IS NOT NULL;
CREATE INDEX game_follows ON game (follows) WHERE follows IS NOT NULL;
CREATE INDEX game_closed ON game (closed_at_ms) WHERE closed = 1;
CREATE INDEX game_ended ON game (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
CREATE INDEX game_uncounted ON game (host_id) WHERE phase = 'ended' AND closed = 0 AND counted = 0;
CREATE INDEX game_invitations_ended ON game (invitations_ended_at_ms) WHERE invitations_ended_at_ms IS NOT NULL;

-- The truth: rows of events. `seq` is the row's first event, `n` how many it holds, `batch` its random name.
-- A row is only ever added after the row that its writer saw last (see store/log/postgres.rs).
CREATE TABLE game_log (
    game_id  UUID   NOT NULL,
    seq      BIGINT NOT NULL,
    n        BIGINT NOT NULL,
    epoch    BIGINT NOT NULL,
    batch    BIGINT NOT NULL,
    body     TEXT   NOT NULL,
    -- CRC-32 of the game's id, the row's numbers and its body. NULL: written by a pre-release without checksums.
    checksum BIGINT,
    PRIMARY KEY (game_id, seq)
);

-- Copies of a game's state after a row of its log (`seq`, `batch`), in parts: never the truth, which is the log.
-- `name` is random, one per written copy. `parts` and `checksum` stand in the last part only: a copy without it is incomplete.
CREATE TABLE game_snapshot (
    game_id  UUID   NOT NULL,
    name     BIGINT NOT NULL,
    part     BIGINT NOT NULL,
    seq      BIGINT NOT NULL,
    batch    BIGINT NOT NULL,
    next_seq BIGINT NOT NULL,
    format   BIGINT NOT NULL,
    parts    BIGINT,
    checksum BIGINT,
    -- Last, so that the columns before it are read without it.
    body     BYTEA  NOT NULL,
    PRIMARY KEY (game_id, name, part)
);

-- A game whose rows are about to be deleted or rewritten. Every node drops it from memory and does not load it before
-- `until_ms`. `holder` is random: only one maintenance task at a time works on a game.
CREATE TABLE game_hold (
    game_id    UUID   NOT NULL PRIMARY KEY,
    holder     BIGINT NOT NULL,
    held_at_ms BIGINT NOT NULL,
    until_ms   BIGINT NOT NULL
);
CREATE INDEX game_hold_time ON game_hold (held_at_ms);

-- How often a question was asked and answered in an ended game, only as numbers. Derived from the game's log.
CREATE TABLE question_asked (
    host_id     UUID   NOT NULL,
    question_id UUID   NOT NULL,
    game_id     UUID   NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    players     BIGINT NOT NULL,
    answered    BIGINT NOT NULL,
    -- NULL: answers are not marked.
    correct     BIGINT,
    PRIMARY KEY (host_id, question_id, game_id)
);
CREATE INDEX question_asked_game ON question_asked (game_id);

-- Links to the released results of a game, at most one per game. Its token is derived from `nonce` and a secret of the
-- game's log; `hash` is the SHA-256 of the token, by which the link is found.
CREATE TABLE results_link (
    game_id       UUID   NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    nonce         BYTEA  NOT NULL,
    hash          BYTEA  NOT NULL,
    created_at_ms BIGINT NOT NULL
);
CREATE UNIQUE INDEX results_link_hash ON results_link (hash);

-- Codes that screens show until a host has typed them. `hash` is the SHA-256 of the secret that the screen asks with; the token
-- of the screen is made of that secret and the game, and is stored nowhere. `added` is 1 once the game has the screen.
CREATE TABLE screen_pairing (
    code          TEXT   NOT NULL PRIMARY KEY,
    hash          BYTEA  NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    game_id       UUID   REFERENCES game (id) ON DELETE CASCADE,
    screen_id     UUID,
    added         BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX screen_pairing_hash ON screen_pairing (hash);
CREATE INDEX screen_pairing_game ON screen_pairing (game_id);

-- Pictures and sounds of hosts. Their bytes are in `media_part`.
CREATE TABLE media (
    id            UUID   NOT NULL PRIMARY KEY,
    host_id       UUID   NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    -- The media type, such as image/png.
    type          TEXT   NOT NULL,
    bytes         BIGINT NOT NULL,
    sha256        BYTEA  NOT NULL,
    created_at_ms BIGINT NOT NULL,
    -- When a purge first found that neither a quiz nor a game uses it.
    unused_at_ms  BIGINT,
    -- Of a picture, in pixels; NULL where its file does not say them, and of a sound.
    width         BIGINT,
    height        BIGINT
);
CREATE INDEX media_host ON media (host_id, sha256);

-- The bytes of a file, in parts of 256 KiB. No reference: the parts are stored before the line of their file.
CREATE TABLE media_part (
    media_id UUID   NOT NULL,
    part     BIGINT NOT NULL,
    body     BYTEA  NOT NULL,
    PRIMARY KEY (media_id, part)
);

-- Which quiz has a question with this file.
CREATE TABLE quiz_media (
    quiz_id  UUID NOT NULL REFERENCES quiz (id) ON DELETE CASCADE,
    media_id UUID NOT NULL REFERENCES media (id),
    PRIMARY KEY (quiz_id, media_id)
);
CREATE INDEX quiz_media_media ON quiz_media (media_id);

-- Which game has one, until its log is purged.
CREATE TABLE game_media (
    game_id  UUID NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    media_id UUID NOT NULL REFERENCES media (id),
    PRIMARY KEY (game_id, media_id)
);
CREATE INDEX game_media_media ON game_media (media_id);

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
    disabled_at_ms   BIGINT,
    -- When a delivery of this webhook was last claimed: the account that has waited for longest comes next.
    served_at_ms     BIGINT  NOT NULL DEFAULT 0
);
CREATE INDEX webhook_host ON webhook (host_id);

-- Keys that were replaced: each signs beside the new one for a while.
CREATE TABLE webhook_old_key (
    webhook_id UUID   NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    secret     BYTEA  NOT NULL,
    until_ms   BIGINT NOT NULL,
    PRIMARY KEY (webhook_id, secret)
);

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
    claimed_until_ms BIGINT  NOT NULL DEFAULT 0,
    -- How the latest attempt was answered: a status of HTTP; 0: there was no answer; -1: the address may not be called.
    answered         INTEGER,
    -- When its owner had it sent again: it may be older than other deliveries may wait.
    again_at_ms      BIGINT
);
-- Which delivery comes next is found without reading the others that wait: the webhooks that have any, of each its oldest, and
-- whether one is under way. A claim that has ended stays above 0 until the next.
CREATE INDEX webhook_delivery_next ON webhook_delivery (webhook_id, due_at_ms);
CREATE INDEX webhook_delivery_claimed ON webhook_delivery (webhook_id, claimed_until_ms) WHERE claimed_until_ms > 0;
CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at_ms);
CREATE INDEX webhook_delivery_game ON webhook_delivery (game_id);

-- Deliveries that have arrived or were given up, the latest of each webhook: they are listed, and can be sent again.
CREATE TABLE webhook_past (
    id            UUID    NOT NULL PRIMARY KEY,
    webhook_id    UUID    NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    game_id       UUID    NOT NULL,
    event         TEXT    NOT NULL,
    seq           BIGINT  NOT NULL,
    body          TEXT    NOT NULL,
    created_at_ms BIGINT  NOT NULL,
    attempts      INTEGER NOT NULL,
    answered      INTEGER NOT NULL,
    has_arrived   INTEGER NOT NULL,
    ended_at_ms   BIGINT  NOT NULL
);
CREATE INDEX webhook_past_webhook ON webhook_past (webhook_id, ended_at_ms);
CREATE INDEX webhook_past_ended ON webhook_past (ended_at_ms);
CREATE INDEX webhook_past_game ON webhook_past (game_id);

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

-- Who serves: one line per running process, renewed all the time, by one clock. A hint for liveness and nothing else:
-- what may be written to a game is decided by its log.
CREATE TABLE node (
    id            UUID    NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL,
    version       TEXT    NOT NULL,
    entered_at_ms BIGINT  NOT NULL,
    -- The last renewal, and how many there were.
    seen_at_ms    BIGINT  NOT NULL,
    beat          BIGINT  NOT NULL,
    -- What it said of itself then; no lag: its bus does not work.
    games         BIGINT  NOT NULL,
    sockets       BIGINT  NOT NULL,
    bus_lag_us    BIGINT,
    draining      INTEGER NOT NULL,
    -- The version of the log that it reads and writes.
    log_version   BIGINT  NOT NULL DEFAULT 1
);

-- One row that the health probe changes: proof that a commit works at this moment.
CREATE TABLE probe (
    id    INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    -- Commits of probes so far, and the time of the last one (milliseconds since 1970).
    count BIGINT  NOT NULL,
    at_ms BIGINT  NOT NULL
) WITH (fillfactor = 50);
INSERT INTO probe (id, count, at_ms) VALUES (1, 0, 0);
