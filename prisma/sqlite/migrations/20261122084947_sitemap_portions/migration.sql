-- AlterTable
ALTER TABLE "sitemap_entries" ADD COLUMN "image" TEXT;
ALTER TABLE "sitemap_entries" ADD COLUMN "sitemap" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "sitemap_portions" (
    "sitemap" TEXT NOT NULL,
    "first_post_id" TEXT NOT NULL,
    "entries" INTEGER NOT NULL,
    "stamp" INTEGER NOT NULL,

    PRIMARY KEY ("sitemap", "first_post_id")
);

-- CreateIndex
CREATE INDEX "posts_id_status_idx" ON "posts"("id", "status");

-- CreateIndex
CREATE INDEX "sitemap_entries_sitemap_post_id_idx" ON "sitemap_entries"("sitemap", "post_id");

-- The last portion is full at a thousand entries; then the next post begins another (decision 020).
CREATE TRIGGER "sitemap_portions_when_inserted" AFTER INSERT ON "sitemap_entries"
BEGIN
    INSERT INTO "sitemap_portions" ("sitemap", "first_post_id", "entries", "stamp")
    SELECT NEW."sitemap", '', 0, 0
    WHERE NOT EXISTS (SELECT 1 FROM "sitemap_portions" WHERE "sitemap" = NEW."sitemap");
    INSERT INTO "sitemap_portions" ("sitemap", "first_post_id", "entries", "stamp")
    SELECT NEW."sitemap", NEW."post_id", 0, 0
    WHERE (
        SELECT "entries" FROM "sitemap_portions" WHERE "sitemap" = NEW."sitemap" ORDER BY "first_post_id" DESC LIMIT 1
    ) >= 1000 AND NOT EXISTS (
        SELECT 1 FROM "sitemap_entries"
        WHERE "sitemap" = NEW."sitemap" AND "post_id" >= NEW."post_id" AND "path" <> NEW."path"
    )
    ON CONFLICT ("sitemap", "first_post_id") DO NOTHING;
    UPDATE "sitemap_portions" SET "entries" = "entries" + 1, "stamp" = "stamp" + 1
    WHERE "sitemap" = NEW."sitemap" AND "first_post_id" = (
        SELECT max("first_post_id") FROM "sitemap_portions"
        WHERE "sitemap" = NEW."sitemap" AND "first_post_id" <= NEW."post_id"
    );
END;

CREATE TRIGGER "sitemap_portions_when_deleted" AFTER DELETE ON "sitemap_entries"
BEGIN
    UPDATE "sitemap_portions" SET "entries" = "entries" - 1, "stamp" = "stamp" + 1
    WHERE "sitemap" = OLD."sitemap" AND "first_post_id" = (
        SELECT max("first_post_id") FROM "sitemap_portions"
        WHERE "sitemap" = OLD."sitemap" AND "first_post_id" <= OLD."post_id"
    );
END;

-- Entries are deleted and inserted, never moved; what changes in their place is a column.
CREATE TRIGGER "sitemap_portions_when_updated" AFTER UPDATE ON "sitemap_entries"
BEGIN
    UPDATE "sitemap_portions" SET "stamp" = "stamp" + 1
    WHERE "sitemap" = NEW."sitemap" AND "first_post_id" = (
        SELECT max("first_post_id") FROM "sitemap_portions"
        WHERE "sitemap" = NEW."sitemap" AND "first_post_id" <= NEW."post_id"
    );
END;

UPDATE "sitemap_entries" SET "image" = (
    SELECT "media"."path" FROM "posts" JOIN "media" ON "media"."id" = "posts"."cover_media_id"
    WHERE "posts"."id" = "sitemap_entries"."post_id"
);

INSERT INTO "sitemap_portions" ("sitemap", "first_post_id", "entries", "stamp")
SELECT "sitemap", CASE WHEN "portion" = 0 THEN '' ELSE min("post_id") END, count(*), 1
FROM (
    SELECT "sitemap", "post_id", (row_number() OVER (PARTITION BY "sitemap" ORDER BY "post_id", "path") - 1) / 1000 AS "portion"
    FROM "sitemap_entries"
) AS "numbered"
GROUP BY "sitemap", "portion";
