-- CreateTable
CREATE TABLE "file_mentions" (
    "file" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "owner" TEXT NOT NULL,

    PRIMARY KEY ("file", "kind", "owner")
);

-- CreateIndex
CREATE INDEX "file_mentions_kind_owner_idx" ON "file_mentions"("kind", "owner");

-- What file_mentions must hold (decision 030). A text is split at "/uploads/" as a JSON array, in one pass; a file's
-- name goes to the first "." or "-", so that the smaller copies of a picture have the name of the picture.
CREATE VIEW "named_files" AS
SELECT DISTINCT "file", "kind", "owner"
FROM (
    SELECT substr("value", 1, min(instr("value" || '.', '.'), instr("value" || '-', '-')) - 1) AS "file", 'post' AS "kind", "posts"."id" AS "owner"
    FROM "posts", json_each('[' || replace(json_quote("body" || ' ' || "body_html"), '/uploads/', '","') || ']')
    WHERE "key" > 0
    UNION ALL
    SELECT substr("value", 1, min(instr("value" || '.', '.'), instr("value" || '-', '-')) - 1), 'update', "post_id"
    FROM "prepared_changes", json_each('[' || replace(json_quote("fields"), '/uploads/', '","') || ']')
    WHERE "key" > 0
    UNION ALL
    SELECT substr("value", 1, instr("value", '"') - 1), 'update', "post_id"
    FROM (
        SELECT "post_id", substr("fields", instr("fields", '"coverMediaId":"') + 16) AS "value" FROM "prepared_changes"
        WHERE instr("fields", '"coverMediaId":"')
    )
    UNION ALL
    SELECT substr("value", 1, min(instr("value" || '.', '.'), instr("value" || '-', '-')) - 1), 'embed', "url"
    FROM "embeds", json_each('[' || replace(json_quote("details"), '/uploads/', '","') || ']')
    WHERE "key" > 0
)
WHERE "file" <> '' AND length("file") <= 200 AND "file" NOT GLOB '*[^0-9A-Za-z_/-]*';

CREATE TRIGGER "files_of_posts_inserted" AFTER INSERT ON "posts"
WHEN instr(NEW."body", '/uploads/') OR instr(NEW."body_html", '/uploads/')
BEGIN
    INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files" WHERE "kind" = 'post' AND "owner" = NEW."id";
END;

CREATE TRIGGER "files_of_posts_updated" AFTER UPDATE OF "id", "body", "body_html" ON "posts"
WHEN OLD."id" <> NEW."id" OR OLD."body" <> NEW."body" OR OLD."body_html" <> NEW."body_html"
BEGIN
    DELETE FROM "file_mentions" WHERE "kind" = 'post' AND "owner" = OLD."id";
    INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files" WHERE "kind" = 'post' AND "owner" = NEW."id";
END;

CREATE TRIGGER "files_of_posts_deleted" AFTER DELETE ON "posts"
BEGIN
    DELETE FROM "file_mentions" WHERE "kind" = 'post' AND "owner" = OLD."id";
END;

CREATE TRIGGER "files_of_updates_inserted" AFTER INSERT ON "prepared_changes"
BEGIN
    INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files" WHERE "kind" = 'update' AND "owner" = NEW."post_id";
END;

CREATE TRIGGER "files_of_updates_updated" AFTER UPDATE OF "post_id", "fields" ON "prepared_changes"
BEGIN
    DELETE FROM "file_mentions" WHERE "kind" = 'update' AND "owner" = OLD."post_id";
    INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files" WHERE "kind" = 'update' AND "owner" = NEW."post_id";
END;

CREATE TRIGGER "files_of_updates_deleted" AFTER DELETE ON "prepared_changes"
BEGIN
    DELETE FROM "file_mentions" WHERE "kind" = 'update' AND "owner" = OLD."post_id";
END;

CREATE TRIGGER "files_of_embeds_inserted" AFTER INSERT ON "embeds"
BEGIN
    INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files" WHERE "kind" = 'embed' AND "owner" = NEW."url";
END;

CREATE TRIGGER "files_of_embeds_updated" AFTER UPDATE OF "url", "details" ON "embeds"
BEGIN
    DELETE FROM "file_mentions" WHERE "kind" = 'embed' AND "owner" = OLD."url";
    INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files" WHERE "kind" = 'embed' AND "owner" = NEW."url";
END;

CREATE TRIGGER "files_of_embeds_deleted" AFTER DELETE ON "embeds"
BEGIN
    DELETE FROM "file_mentions" WHERE "kind" = 'embed' AND "owner" = OLD."url";
END;

INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files";
