-- CreateTable
CREATE TABLE "file_mentions" (
    "file" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "owner" TEXT NOT NULL,

    CONSTRAINT "file_mentions_pkey" PRIMARY KEY ("file","kind","owner")
);

-- CreateIndex
CREATE INDEX "file_mentions_kind_owner_idx" ON "file_mentions"("kind", "owner");

-- A file's name goes to the first "." or "-", so that the smaller copies of a picture have the name of the picture.
CREATE FUNCTION "files_in"("text" TEXT) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT "file"
    FROM (
        SELECT substring(left("piece", 201) FROM '^([0-9A-Za-z_/]+)(?:[.-]|$)') AS "file"
        FROM unnest(string_to_array($1, '/uploads/')) WITH ORDINALITY AS "pieces" ("piece", "number")
        WHERE "number" > 1
    ) AS "found"
    WHERE "file" IS NOT NULL;
$$;

-- What file_mentions must hold (decision 030).
CREATE VIEW "named_files" AS
SELECT DISTINCT "file", 'post' AS "kind", "id" AS "owner"
FROM "posts", LATERAL "files_in"("body" || ' ' || "body_html") AS "found" ("file")
UNION ALL
SELECT DISTINCT "file", 'update', "post_id"
FROM "prepared_changes", LATERAL (
    SELECT "files_in"("fields") AS "file"
    UNION ALL
    SELECT substring("fields" FROM '"coverMediaId":"([^"]+)"')
) AS "found"
WHERE "file" IS NOT NULL
UNION ALL
SELECT DISTINCT "file", 'embed', "url"
FROM "embeds", LATERAL "files_in"("details") AS "found" ("file");

-- Of a row of kind TG_ARGV[0], whose key is the column TG_ARGV[1].
CREATE FUNCTION "follow_files"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "key" TEXT;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        EXECUTE format('SELECT ($1).%I', TG_ARGV[1]) INTO "key" USING OLD;
        DELETE FROM "file_mentions" WHERE "kind" = TG_ARGV[0] AND "owner" = "key";
    END IF;
    IF TG_OP <> 'DELETE' THEN
        EXECUTE format('SELECT ($1).%I', TG_ARGV[1]) INTO "key" USING NEW;
        INSERT INTO "file_mentions"
        SELECT "file", "kind", "owner" FROM "named_files" AS "named"
        WHERE "named"."kind" = TG_ARGV[0] AND "named"."owner" = "key";
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "files_of_posts_inserted" AFTER INSERT ON "posts" FOR EACH ROW
WHEN (strpos(NEW."body", '/uploads/') > 0 OR strpos(NEW."body_html", '/uploads/') > 0)
EXECUTE FUNCTION "follow_files"('post', 'id');

CREATE TRIGGER "files_of_posts_updated" AFTER UPDATE OF "id", "body", "body_html" ON "posts" FOR EACH ROW
WHEN (OLD."id" <> NEW."id" OR OLD."body" <> NEW."body" OR OLD."body_html" <> NEW."body_html")
EXECUTE FUNCTION "follow_files"('post', 'id');

CREATE TRIGGER "files_of_posts_deleted" AFTER DELETE ON "posts" FOR EACH ROW
EXECUTE FUNCTION "follow_files"('post', 'id');

CREATE TRIGGER "files_of_updates_followed" AFTER INSERT OR UPDATE OR DELETE ON "prepared_changes" FOR EACH ROW
EXECUTE FUNCTION "follow_files"('update', 'post_id');

CREATE TRIGGER "files_of_embeds_followed" AFTER INSERT OR UPDATE OR DELETE ON "embeds" FOR EACH ROW
EXECUTE FUNCTION "follow_files"('embed', 'url');

INSERT INTO "file_mentions" SELECT "file", "kind", "owner" FROM "named_files";
