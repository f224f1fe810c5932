-- Pictures and sounds of hosts, and what uses them.

CREATE TABLE media (
    id            UUID   NOT NULL PRIMARY KEY,
    host_id       UUID   NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    -- The media type, such as image/png.
    type          TEXT   NOT NULL,
    bytes         BIGINT NOT NULL,
    sha256        BYTEA  NOT NULL,
    created_at_ms BIGINT NOT NULL,
    -- When a purge first found that neither a quiz nor a game uses it.
    unused_at_ms  BIGINT
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
