-- CreateTable
CREATE TABLE "tag_posts" (
    "post_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "listed_in" TEXT NOT NULL DEFAULT '',
    "published_at" DATETIME NOT NULL,

    PRIMARY KEY ("post_id", "tag_id"),
    CONSTRAINT "tag_posts_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "tag_posts_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "post_counts" (
    "list" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "part" TEXT NOT NULL DEFAULT '',
    "posts" INTEGER NOT NULL,

    PRIMARY KEY ("list", "status", "month", "part")
);

-- CreateIndex
CREATE INDEX "tag_posts_tag_id_listed_in_published_at_post_id_idx" ON "tag_posts"("tag_id", "listed_in", "published_at", "post_id");

-- CreateIndex
CREATE INDEX "post_counts_month_list_status_posts_idx" ON "post_counts"("month", "list", "status", "posts");

-- CreateIndex
CREATE INDEX "posts_updated_at_id_idx" ON "posts"("updated_at", "id");

-- CreateIndex
CREATE INDEX "posts_published_at_id_idx" ON "posts"("published_at", "id");

-- CreateIndex
CREATE INDEX "posts_title_id_idx" ON "posts"("title", "id");

-- CreateIndex
CREATE INDEX "posts_category_id_updated_at_idx" ON "posts"("category_id", "updated_at");

-- CreateIndex
CREATE INDEX "posts_author_id_updated_at_idx" ON "posts"("author_id", "updated_at");

-- Counts are kept by the database itself, so that every writer keeps them: this version, the one before it beside it,
-- imports and restores (decision 014). A published post counts once for its state and once for its month.
CREATE TRIGGER "posts_counted_when_inserted" AFTER INSERT ON "posts"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", NEW."status", "month", 1
    FROM (
        SELECT 'all' AS "list"
        UNION ALL SELECT 'category:' || NEW."category_id" WHERE NEW."category_id" IS NOT NULL
        UNION ALL SELECT 'author:' || NEW."author_id" WHERE NEW."author_id" IS NOT NULL
    ), (
        SELECT '' AS "month"
        UNION ALL SELECT substr(NEW."published_at", 1, 7) WHERE NEW."status" = 'published' AND NEW."published_at" IS NOT NULL
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "posts_counted_when_updated" AFTER UPDATE OF "status", "published_at", "category_id", "author_id" ON "posts"
WHEN OLD."status" <> NEW."status" OR OLD."published_at" IS NOT NEW."published_at"
    OR OLD."category_id" IS NOT NEW."category_id" OR OLD."author_id" IS NOT NEW."author_id"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", sum("change")
    FROM (
        SELECT "list", OLD."status" AS "status", "month", -1 AS "change"
        FROM (
            SELECT 'all' AS "list"
            UNION ALL SELECT 'category:' || OLD."category_id" WHERE OLD."category_id" IS NOT NULL
            UNION ALL SELECT 'author:' || OLD."author_id" WHERE OLD."author_id" IS NOT NULL
            UNION ALL SELECT 'tag:' || "tag_id" FROM "post_tags" WHERE "post_id" = NEW."id"
        ), (
            SELECT '' AS "month"
            UNION ALL SELECT substr(OLD."published_at", 1, 7) WHERE OLD."status" = 'published' AND OLD."published_at" IS NOT NULL
        )
        UNION ALL
        SELECT "list", NEW."status", "month", 1
        FROM (
            SELECT 'all' AS "list"
            UNION ALL SELECT 'category:' || NEW."category_id" WHERE NEW."category_id" IS NOT NULL
            UNION ALL SELECT 'author:' || NEW."author_id" WHERE NEW."author_id" IS NOT NULL
            UNION ALL SELECT 'tag:' || "tag_id" FROM "post_tags" WHERE "post_id" = NEW."id"
        ), (
            SELECT '' AS "month"
            UNION ALL SELECT substr(NEW."published_at", 1, 7) WHERE NEW."status" = 'published' AND NEW."published_at" IS NOT NULL
        )
    )
    GROUP BY 1, 2, 3 HAVING sum("change") <> 0
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "tag_posts_follow_posts" AFTER UPDATE OF "status", "published_at" ON "posts"
WHEN OLD."status" <> NEW."status" OR OLD."published_at" IS NOT NEW."published_at"
BEGIN
    DELETE FROM "tag_posts" WHERE "post_id" = NEW."id";
    INSERT INTO "tag_posts" ("post_id", "tag_id", "published_at")
    SELECT "post_id", "tag_id", NEW."published_at" FROM "post_tags"
    WHERE "post_id" = NEW."id" AND NEW."status" = 'published' AND NEW."published_at" IS NOT NULL;
END;

-- Before: afterwards its tags are gone too.
CREATE TRIGGER "posts_counted_when_deleted" BEFORE DELETE ON "posts"
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", OLD."status", "month", -1
    FROM (
        SELECT 'all' AS "list"
        UNION ALL SELECT 'category:' || OLD."category_id" WHERE OLD."category_id" IS NOT NULL
        UNION ALL SELECT 'author:' || OLD."author_id" WHERE OLD."author_id" IS NOT NULL
        UNION ALL SELECT 'tag:' || "tag_id" FROM "post_tags" WHERE "post_id" = OLD."id"
    ), (
        SELECT '' AS "month"
        UNION ALL SELECT substr(OLD."published_at", 1, 7) WHERE OLD."status" = 'published' AND OLD."published_at" IS NOT NULL
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "post_tags_counted_when_inserted" AFTER INSERT ON "post_tags"
BEGIN
    INSERT INTO "tag_posts" ("post_id", "tag_id", "published_at")
    SELECT "id", NEW."tag_id", "published_at" FROM "posts"
    WHERE "id" = NEW."post_id" AND "status" = 'published' AND "published_at" IS NOT NULL;
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT 'tag:' || NEW."tag_id", "status", "month", 1
    FROM (
        SELECT "status", '' AS "month" FROM "posts" WHERE "id" = NEW."post_id"
        UNION ALL
        SELECT "status", substr("published_at", 1, 7) FROM "posts"
        WHERE "id" = NEW."post_id" AND "status" = 'published' AND "published_at" IS NOT NULL
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

-- Does nothing when the post is gone, whose own trigger has counted it out.
CREATE TRIGGER "post_tags_counted_when_deleted" AFTER DELETE ON "post_tags"
BEGIN
    DELETE FROM "tag_posts" WHERE "post_id" = OLD."post_id" AND "tag_id" = OLD."tag_id";
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT 'tag:' || OLD."tag_id", "status", "month", -1
    FROM (
        SELECT "status", '' AS "month" FROM "posts" WHERE "id" = OLD."post_id"
        UNION ALL
        SELECT "status", substr("published_at", 1, 7) FROM "posts"
        WHERE "id" = OLD."post_id" AND "status" = 'published' AND "published_at" IS NOT NULL
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

CREATE TRIGGER "post_tags_counted_when_updated" AFTER UPDATE OF "tag_id" ON "post_tags"
WHEN OLD."tag_id" <> NEW."tag_id"
BEGIN
    UPDATE "tag_posts" SET "tag_id" = NEW."tag_id" WHERE "post_id" = OLD."post_id" AND "tag_id" = OLD."tag_id";
    INSERT INTO "post_counts" ("list", "status", "month", "posts")
    SELECT "list", "status", "month", "change"
    FROM (
        SELECT 'tag:' || OLD."tag_id" AS "list", -1 AS "change"
        UNION ALL SELECT 'tag:' || NEW."tag_id", 1
    ), (
        SELECT "status", '' AS "month" FROM "posts" WHERE "id" = OLD."post_id"
        UNION ALL
        SELECT "status", substr("published_at", 1, 7) FROM "posts"
        WHERE "id" = OLD."post_id" AND "status" = 'published' AND "published_at" IS NOT NULL
    )
    WHERE true
    ON CONFLICT ("list", "status", "month", "part") DO UPDATE SET "posts" = "posts" + excluded."posts";
END;

-- Fills both tables from what is there: the statements of app/publishing/rebuild-counts.server.ts.
INSERT INTO "tag_posts" ("post_id", "tag_id", "published_at")
SELECT "post_id", "tag_id", "published_at" FROM "post_tags" JOIN "posts" ON "posts"."id" = "post_tags"."post_id"
WHERE "status" = 'published' AND "published_at" IS NOT NULL;

INSERT INTO "post_counts" ("list", "status", "month", "posts")
SELECT "list", "status", "month", count(*)
FROM (
    SELECT "list", "status", '' AS "month" FROM (
        SELECT 'all' AS "list", "status", "published_at" FROM "posts"
        UNION ALL SELECT 'category:' || "category_id", "status", "published_at" FROM "posts" WHERE "category_id" IS NOT NULL
        UNION ALL SELECT 'author:' || "author_id", "status", "published_at" FROM "posts" WHERE "author_id" IS NOT NULL
        UNION ALL
        SELECT 'tag:' || "tag_id", "status", "published_at"
        FROM "post_tags" JOIN "posts" ON "posts"."id" = "post_tags"."post_id"
    ) AS "listed"
    UNION ALL
    SELECT "list", "status", substr("published_at", 1, 7) FROM (
        SELECT 'all' AS "list", "status", "published_at" FROM "posts"
        UNION ALL SELECT 'category:' || "category_id", "status", "published_at" FROM "posts" WHERE "category_id" IS NOT NULL
        UNION ALL SELECT 'author:' || "author_id", "status", "published_at" FROM "posts" WHERE "author_id" IS NOT NULL
        UNION ALL
        SELECT 'tag:' || "tag_id", "status", "published_at"
        FROM "post_tags" JOIN "posts" ON "posts"."id" = "post_tags"."post_id"
    ) AS "listed" WHERE "status" = 'published' AND "published_at" IS NOT NULL
) AS "counted"
GROUP BY "list", "status", "month";
