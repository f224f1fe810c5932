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

-- Accounts that sign in with OpenID Connect, and sign-ins that are under way.

CREATE TABLE host_identity (
    issuer        TEXT    NOT NULL,
    subject       TEXT    NOT NULL,
    host_id       BLOB    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX host_identity_host ON host_identity (host_id);

-- `state` and `verifier` are SHA-256 of what the browser holds. A row is deleted by its use.
CREATE TABLE sign_in_attempt (
    state         BLOB    NOT NULL PRIMARY KEY,
    verifier      BLOB    NOT NULL,
    nonce         TEXT    NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_attempt_time ON sign_in_attempt (created_at_ms);
