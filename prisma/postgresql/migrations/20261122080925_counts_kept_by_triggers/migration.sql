-- CreateTable
CREATE TABLE "tag_posts" (
    "post_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "listed_in" TEXT NOT NULL DEFAULT '',
    "published_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "tag_posts_pkey" PRIMARY KEY ("post_id","tag_id")
);

-- CreateTable
CREATE TABLE "post_counts" (
    "list" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "part" TEXT NOT NULL DEFAULT '',
    "posts" INTEGER NOT NULL,

    CONSTRAINT "post_counts_pkey" PRIMARY KEY ("list","status","month","part")
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

-- AddForeignKey
ALTER TABLE "tag_posts" ADD CONSTRAINT "tag_posts_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_posts" ADD CONSTRAINT "tag_posts_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Counts are kept by the database itself, so that every writer keeps them: this version, the one before it beside it,
-- imports and restores (decision 014). A published post counts once for its state and once for its month.
-- Each change is a row of its own, so that two writers never wait for each other; later the rows are summed up.
CREATE FUNCTION "count_posts"("list" TEXT, "status" TEXT, "published_at" TIMESTAMP(3), "change" INTEGER) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO "post_counts" ("list", "status", "month", "part", "posts")
    VALUES ($1, $2, '', gen_random_uuid()::text, $4);
    INSERT INTO "post_counts" ("list", "status", "month", "part", "posts")
    SELECT $1, $2, to_char($3, 'YYYY-MM'), gen_random_uuid()::text, $4
    WHERE $2 = 'published' AND $3 IS NOT NULL;
$$;

CREATE FUNCTION "posts_counted_when_inserted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "post_counts" ("list", "status", "month", "part", "posts")
    SELECT "list", "status", "month", gen_random_uuid()::text, count(*)
    FROM (
        SELECT "list", "status", "month"
        FROM "added",
            LATERAL (VALUES ('all'), ('category:' || "category_id"), ('author:' || "author_id")) AS "lists" ("list"),
            LATERAL (VALUES (''), (CASE WHEN "status" = 'published' THEN to_char("published_at", 'YYYY-MM') END)) AS "months" ("month")
        WHERE "list" IS NOT NULL AND "month" IS NOT NULL
    ) AS "counted"
    GROUP BY "list", "status", "month";
    RETURN NULL;
END $$;
CREATE TRIGGER "posts_counted_when_inserted" AFTER INSERT ON "posts"
REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "posts_counted_when_inserted"();

CREATE FUNCTION "posts_counted_when_updated"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "one" TEXT;
BEGIN
    PERFORM "count_posts"('all', OLD."status", OLD."published_at", -1);
    PERFORM "count_posts"('all', NEW."status", NEW."published_at", 1);
    IF OLD."category_id" IS NOT NULL THEN
        PERFORM "count_posts"('category:' || OLD."category_id", OLD."status", OLD."published_at", -1);
    END IF;
    IF NEW."category_id" IS NOT NULL THEN
        PERFORM "count_posts"('category:' || NEW."category_id", NEW."status", NEW."published_at", 1);
    END IF;
    IF OLD."author_id" IS NOT NULL THEN
        PERFORM "count_posts"('author:' || OLD."author_id", OLD."status", OLD."published_at", -1);
    END IF;
    IF NEW."author_id" IS NOT NULL THEN
        PERFORM "count_posts"('author:' || NEW."author_id", NEW."status", NEW."published_at", 1);
    END IF;
    IF OLD."status" = NEW."status" AND OLD."published_at" IS NOT DISTINCT FROM NEW."published_at" THEN
        RETURN NULL;
    END IF;
    FOR "one" IN SELECT "tag_id" FROM "post_tags" WHERE "post_id" = NEW."id" LOOP
        PERFORM "count_posts"('tag:' || "one", OLD."status", OLD."published_at", -1);
        PERFORM "count_posts"('tag:' || "one", NEW."status", NEW."published_at", 1);
    END LOOP;
    DELETE FROM "tag_posts" WHERE "post_id" = NEW."id";
    INSERT INTO "tag_posts" ("post_id", "tag_id", "published_at")
    SELECT "post_id", "tag_id", NEW."published_at" FROM "post_tags"
    WHERE "post_id" = NEW."id" AND NEW."status" = 'published' AND NEW."published_at" IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER "posts_counted_when_updated" AFTER UPDATE OF "status", "published_at", "category_id", "author_id" ON "posts"
FOR EACH ROW WHEN (
    OLD."status" <> NEW."status" OR OLD."published_at" IS DISTINCT FROM NEW."published_at"
    OR OLD."category_id" IS DISTINCT FROM NEW."category_id" OR OLD."author_id" IS DISTINCT FROM NEW."author_id"
) EXECUTE FUNCTION "posts_counted_when_updated"();

-- Before: afterwards its tags are gone too.
CREATE FUNCTION "posts_counted_when_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "one" TEXT;
BEGIN
    PERFORM "count_posts"('all', OLD."status", OLD."published_at", -1);
    IF OLD."category_id" IS NOT NULL THEN
        PERFORM "count_posts"('category:' || OLD."category_id", OLD."status", OLD."published_at", -1);
    END IF;
    IF OLD."author_id" IS NOT NULL THEN
        PERFORM "count_posts"('author:' || OLD."author_id", OLD."status", OLD."published_at", -1);
    END IF;
    FOR "one" IN SELECT "tag_id" FROM "post_tags" WHERE "post_id" = OLD."id" LOOP
        PERFORM "count_posts"('tag:' || "one", OLD."status", OLD."published_at", -1);
    END LOOP;
    RETURN OLD;
END $$;
CREATE TRIGGER "posts_counted_when_deleted" BEFORE DELETE ON "posts"
FOR EACH ROW EXECUTE FUNCTION "posts_counted_when_deleted"();

-- Holds the posts, so that a change of their state at the same moment comes before or after, not between.
CREATE FUNCTION "post_tags_counted_when_inserted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "post_id" FROM "added") ORDER BY "id" FOR NO KEY UPDATE;
    INSERT INTO "tag_posts" ("post_id", "tag_id", "published_at")
    SELECT "added"."post_id", "added"."tag_id", "posts"."published_at"
    FROM "added" JOIN "posts" ON "posts"."id" = "added"."post_id"
    WHERE "posts"."status" = 'published' AND "posts"."published_at" IS NOT NULL;
    INSERT INTO "post_counts" ("list", "status", "month", "part", "posts")
    SELECT 'tag:' || "tag_id", "status", "month", gen_random_uuid()::text, count(*)
    FROM "added" JOIN "posts" ON "posts"."id" = "added"."post_id",
        LATERAL (VALUES (''), (CASE WHEN "status" = 'published' THEN to_char("published_at", 'YYYY-MM') END)) AS "months" ("month")
    WHERE "month" IS NOT NULL
    GROUP BY "tag_id", "status", "month";
    RETURN NULL;
END $$;
CREATE TRIGGER "post_tags_counted_when_inserted" AFTER INSERT ON "post_tags"
REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "post_tags_counted_when_inserted"();

-- Does nothing when the post is gone, whose own trigger has counted it out.
CREATE FUNCTION "post_tags_counted_when_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM "posts" WHERE "id" IN (SELECT "post_id" FROM "removed") ORDER BY "id" FOR NO KEY UPDATE;
    DELETE FROM "tag_posts" USING "removed"
    WHERE "tag_posts"."post_id" = "removed"."post_id" AND "tag_posts"."tag_id" = "removed"."tag_id";
    INSERT INTO "post_counts" ("list", "status", "month", "part", "posts")
    SELECT 'tag:' || "tag_id", "status", "month", gen_random_uuid()::text, -count(*)
    FROM "removed" JOIN "posts" ON "posts"."id" = "removed"."post_id",
        LATERAL (VALUES (''), (CASE WHEN "status" = 'published' THEN to_char("published_at", 'YYYY-MM') END)) AS "months" ("month")
    WHERE "month" IS NOT NULL
    GROUP BY "tag_id", "status", "month";
    RETURN NULL;
END $$;
CREATE TRIGGER "post_tags_counted_when_deleted" AFTER DELETE ON "post_tags"
REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "post_tags_counted_when_deleted"();

CREATE FUNCTION "post_tags_counted_when_updated"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "own" RECORD;
BEGIN
    SELECT "status", "published_at" INTO "own" FROM "posts" WHERE "id" = NEW."post_id" FOR NO KEY UPDATE;
    PERFORM "count_posts"('tag:' || OLD."tag_id", "own"."status", "own"."published_at", -1);
    PERFORM "count_posts"('tag:' || NEW."tag_id", "own"."status", "own"."published_at", 1);
    UPDATE "tag_posts" SET "tag_id" = NEW."tag_id" WHERE "post_id" = OLD."post_id" AND "tag_id" = OLD."tag_id";
    RETURN NULL;
END $$;
CREATE TRIGGER "post_tags_counted_when_updated" AFTER UPDATE OF "tag_id" ON "post_tags"
FOR EACH ROW WHEN (OLD."tag_id" <> NEW."tag_id") EXECUTE FUNCTION "post_tags_counted_when_updated"();

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
    SELECT "list", "status", to_char("published_at", 'YYYY-MM') FROM (
        SELECT 'all' AS "list", "status", "published_at" FROM "posts"
        UNION ALL SELECT 'category:' || "category_id", "status", "published_at" FROM "posts" WHERE "category_id" IS NOT NULL
        UNION ALL SELECT 'author:' || "author_id", "status", "published_at" FROM "posts" WHERE "author_id" IS NOT NULL
        UNION ALL
        SELECT 'tag:' || "tag_id", "status", "published_at"
        FROM "post_tags" JOIN "posts" ON "posts"."id" = "post_tags"."post_id"
    ) AS "listed" WHERE "status" = 'published' AND "published_at" IS NOT NULL
) AS "counted"
GROUP BY "list", "status", "month";
