-- What a request with an Idempotency-Key has created, for 24 h, so that a repeated request creates nothing.

-- `name` is the SHA-256 of the key, `request` that of the route and the body, `created` the id of the quiz or the game.
CREATE TABLE creation_key (
    host_id       BLOB    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    name          BLOB    NOT NULL,
    request       BLOB    NOT NULL,
    created       BLOB    NOT NULL,
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (host_id, name)
) STRICT;
CREATE INDEX creation_key_time ON creation_key (host_id, created_at_ms);
