-- Pictures and sounds of hosts, and what uses them. Their bytes are in a file of their own beside this one.

CREATE TABLE media (
    id            BLOB    NOT NULL PRIMARY KEY,
    host_id       BLOB    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    -- The media type, such as image/png.
    type          TEXT    NOT NULL,
    bytes         INTEGER NOT NULL,
    sha256        BLOB    NOT NULL,
    created_at_ms INTEGER NOT NULL,
    -- When a purge first found that neither a quiz nor a game uses it.
    unused_at_ms  INTEGER
) STRICT;
CREATE INDEX media_host ON media (host_id, sha256);

-- Which quiz has a question with this file.
CREATE TABLE quiz_media (
    quiz_id  BLOB NOT NULL REFERENCES quiz (id) ON DELETE CASCADE,
    media_id BLOB NOT NULL REFERENCES media (id),
    PRIMARY KEY (quiz_id, media_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX quiz_media_media ON quiz_media (media_id);

-- Which game has one, until its log is purged.
CREATE TABLE game_media (
    game_id  BLOB NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    media_id BLOB NOT NULL REFERENCES media (id),
    PRIMARY KEY (game_id, media_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_media_media ON game_media (media_id);
