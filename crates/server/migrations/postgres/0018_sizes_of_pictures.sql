-- Width and height of a picture in pixels; NULL where its file does not say them, of a sound, and of a file that came before.
ALTER TABLE media ADD COLUMN width BIGINT;
ALTER TABLE media ADD COLUMN height BIGINT;
