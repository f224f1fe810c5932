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
