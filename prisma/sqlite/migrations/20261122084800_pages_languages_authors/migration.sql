-- CreateTable
CREATE TABLE "post_authors" (
    "post_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "user_id" TEXT,
    "name" TEXT NOT NULL DEFAULT '',

    PRIMARY KEY ("post_id", "position"),
    CONSTRAINT "post_authors_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "post_authors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "author_posts" (
    "post_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "listed_in" TEXT NOT NULL,
    "published_at" DATETIME NOT NULL,

    PRIMARY KEY ("post_id", "user_id"),
    CONSTRAINT "author_posts_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "posts" ADD COLUMN "type" TEXT NOT NULL DEFAULT 'post';
ALTER TABLE "posts" ADD COLUMN "parent_id" TEXT;
ALTER TABLE "posts" ADD COLUMN "language" TEXT NOT NULL DEFAULT '';
ALTER TABLE "posts" ADD COLUMN "translation_of" TEXT;
ALTER TABLE "posts" ADD COLUMN "listed_in" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "posts_listed_in_status_published_at_id_idx" ON "posts"("listed_in", "status", "published_at", "id");

-- CreateIndex
CREATE INDEX "posts_category_id_listed_in_status_published_at_idx" ON "posts"("category_id", "listed_in", "status", "published_at");

-- CreateIndex
CREATE INDEX "posts_parent_id_idx" ON "posts"("parent_id");

-- CreateIndex
CREATE INDEX "posts_translation_of_idx" ON "posts"("translation_of");

-- CreateIndex
CREATE INDEX "post_authors_user_id_post_id_idx" ON "post_authors"("user_id", "post_id");

-- CreateIndex
CREATE INDEX "author_posts_user_id_listed_in_published_at_post_id_idx" ON "author_posts"("user_id", "listed_in", "published_at", "post_id");

-- Fills the derived table from what is public.
INSERT INTO "author_posts" ("post_id", "user_id", "listed_in", "published_at")
SELECT "id", "author_id", '', "published_at" FROM "posts"
WHERE "status" = 'published' AND "author_id" IS NOT NULL AND "published_at" IS NOT NULL;

INSERT INTO "post_counts" ("list", "status", "month", "posts")
SELECT 'by:' || "user_id", 'published', '', count(*) FROM "author_posts" GROUP BY "user_id"
UNION ALL
SELECT 'by:' || "user_id", 'published', substr("published_at", 1, 7), count(*) FROM "author_posts" GROUP BY "user_id", substr("published_at", 1, 7);

-- Lists other than the main one (pages, other languages) are counted beside the whole: "/-" is all that the main list does
-- not show, "/<list>" one of them (decision 014).
CREATE TRIGGER "posts_counted_elsewhere_when_inserted" AFTER INSERT ON "posts" WHEN NEW."listed_in" <> ''
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", "change" FROM (
        SELECT "list" || "place" AS "list", NEW."status" AS "status", "month", 1 AS "change"
        FROM (SELECT 'all' AS "list" UNION ALL SELECT 'category:' || NEW."category_id" WHERE NEW."category_id" IS NOT NULL),
            (SELECT '/-' AS "place" UNION ALL SELECT '/' || NEW."listed_in"),
            (SELECT '' AS "month" UNION ALL SELECT substr(NEW."published_at", 1, 7) WHERE NEW."status" = 'published' AND NEW."published_at" IS NOT NULL)
        WHERE NEW."listed_in" <> ''
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "posts_counted_elsewhere_when_updated"
AFTER UPDATE OF "status", "published_at", "category_id", "listed_in" ON "posts"
WHEN (OLD."listed_in" <> '' OR NEW."listed_in" <> '') AND (
    OLD."status" <> NEW."status" OR OLD."published_at" IS NOT NEW."published_at"
    OR OLD."category_id" IS NOT NEW."category_id" OR OLD."listed_in" <> NEW."listed_in")
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", sum("change") FROM (
        SELECT "list" || "place" AS "list", OLD."status" AS "status", "month", -1 AS "change"
        FROM (SELECT 'all' AS "list" UNION ALL SELECT 'category:' || OLD."category_id" WHERE OLD."category_id" IS NOT NULL
            UNION ALL SELECT 'tag:' || "tag_id" FROM "post_tags" WHERE "post_id" = OLD."id"),
            (SELECT '/-' AS "place" UNION ALL SELECT '/' || OLD."listed_in"),
            (SELECT '' AS "month" UNION ALL SELECT substr(OLD."published_at", 1, 7) WHERE OLD."status" = 'published' AND OLD."published_at" IS NOT NULL)
        WHERE OLD."listed_in" <> ''
        UNION ALL
        SELECT "list" || "place" AS "list", NEW."status" AS "status", "month", 1 AS "change"
        FROM (SELECT 'all' AS "list" UNION ALL SELECT 'category:' || NEW."category_id" WHERE NEW."category_id" IS NOT NULL
            UNION ALL SELECT 'tag:' || "tag_id" FROM "post_tags" WHERE "post_id" = NEW."id"),
            (SELECT '/-' AS "place" UNION ALL SELECT '/' || NEW."listed_in"),
            (SELECT '' AS "month" UNION ALL SELECT substr(NEW."published_at", 1, 7) WHERE NEW."status" = 'published' AND NEW."published_at" IS NOT NULL)
        WHERE NEW."listed_in" <> ''
    )
    GROUP BY 1, 2, 3 HAVING sum("change") <> 0
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
    UPDATE "tag_posts" SET "listed_in" = NEW."listed_in" WHERE "post_id" = NEW."id";
END;

-- Before: afterwards its tags are gone too.
CREATE TRIGGER "posts_counted_elsewhere_when_deleted" BEFORE DELETE ON "posts" WHEN OLD."listed_in" <> ''
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", "change" FROM (
        SELECT "list" || "place" AS "list", OLD."status" AS "status", "month", -1 AS "change"
        FROM (SELECT 'all' AS "list" UNION ALL SELECT 'category:' || OLD."category_id" WHERE OLD."category_id" IS NOT NULL
            UNION ALL SELECT 'tag:' || "tag_id" FROM "post_tags" WHERE "post_id" = OLD."id"),
            (SELECT '/-' AS "place" UNION ALL SELECT '/' || OLD."listed_in"),
            (SELECT '' AS "month" UNION ALL SELECT substr(OLD."published_at", 1, 7) WHERE OLD."status" = 'published' AND OLD."published_at" IS NOT NULL)
        WHERE OLD."listed_in" <> ''
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "tag_posts_follow_lists" AFTER INSERT ON "tag_posts"
WHEN (SELECT "listed_in" FROM "posts" WHERE "id" = NEW."post_id") <> NEW."listed_in"
BEGIN
    UPDATE "tag_posts" SET "listed_in" = (SELECT "listed_in" FROM "posts" WHERE "id" = NEW."post_id")
    WHERE "post_id" = NEW."post_id" AND "tag_id" = NEW."tag_id";
END;

CREATE TRIGGER "post_tags_counted_elsewhere_when_inserted" AFTER INSERT ON "post_tags"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", "change" FROM (
        SELECT 'tag:' || NEW."tag_id" || "place" AS "list", "status", "month", 1 AS "change"
        FROM (
            SELECT "status", '' AS "month", "listed_in" FROM "posts" WHERE "id" = NEW."post_id" AND "listed_in" <> ''
            UNION ALL
            SELECT "status", substr("published_at", 1, 7), "listed_in" FROM "posts"
            WHERE "id" = NEW."post_id" AND "listed_in" <> '' AND "status" = 'published' AND "published_at" IS NOT NULL
        ) AS "own" JOIN (SELECT '/-' AS "place" UNION ALL SELECT '/' || "listed_in" FROM "posts" WHERE "id" = NEW."post_id")
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "post_tags_counted_elsewhere_when_deleted" AFTER DELETE ON "post_tags"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", "change" FROM (
        SELECT 'tag:' || OLD."tag_id" || "place" AS "list", "status", "month", -1 AS "change"
        FROM (
            SELECT "status", '' AS "month", "listed_in" FROM "posts" WHERE "id" = OLD."post_id" AND "listed_in" <> ''
            UNION ALL
            SELECT "status", substr("published_at", 1, 7), "listed_in" FROM "posts"
            WHERE "id" = OLD."post_id" AND "listed_in" <> '' AND "status" = 'published' AND "published_at" IS NOT NULL
        ) AS "own" JOIN (SELECT '/-' AS "place" UNION ALL SELECT '/' || "listed_in" FROM "posts" WHERE "id" = OLD."post_id")
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "post_tags_counted_elsewhere_when_updated" AFTER UPDATE OF "tag_id" ON "post_tags"
WHEN OLD."tag_id" <> NEW."tag_id"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", "change" FROM (
        SELECT 'tag:' || OLD."tag_id" || "place" AS "list", "status", "month", -1 AS "change"
        FROM (
            SELECT "status", '' AS "month", "listed_in" FROM "posts" WHERE "id" = OLD."post_id" AND "listed_in" <> ''
            UNION ALL
            SELECT "status", substr("published_at", 1, 7), "listed_in" FROM "posts"
            WHERE "id" = OLD."post_id" AND "listed_in" <> '' AND "status" = 'published' AND "published_at" IS NOT NULL
        ) AS "own" JOIN (SELECT '/-' AS "place" UNION ALL SELECT '/' || "listed_in" FROM "posts" WHERE "id" = OLD."post_id")
        UNION ALL
        SELECT 'tag:' || NEW."tag_id" || "place" AS "list", "status", "month", 1 AS "change"
        FROM (
            SELECT "status", '' AS "month", "listed_in" FROM "posts" WHERE "id" = NEW."post_id" AND "listed_in" <> ''
            UNION ALL
            SELECT "status", substr("published_at", 1, 7), "listed_in" FROM "posts"
            WHERE "id" = NEW."post_id" AND "listed_in" <> '' AND "status" = 'published' AND "published_at" IS NOT NULL
        ) AS "own" JOIN (SELECT '/-' AS "place" UNION ALL SELECT '/' || "listed_in" FROM "posts" WHERE "id" = NEW."post_id")
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "author_posts_counted_when_inserted" AFTER INSERT ON "author_posts"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT 'by:' || NEW."user_id" || CASE NEW."listed_in" WHEN '' THEN '' ELSE '/' || NEW."listed_in" END, 'published', "month", 1
    FROM (SELECT '' AS "month" UNION ALL SELECT substr(NEW."published_at", 1, 7))
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "author_posts_counted_when_deleted" AFTER DELETE ON "author_posts"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT 'by:' || OLD."user_id" || CASE OLD."listed_in" WHEN '' THEN '' ELSE '/' || OLD."listed_in" END, 'published', "month", -1
    FROM (SELECT '' AS "month" UNION ALL SELECT substr(OLD."published_at", 1, 7))
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;
