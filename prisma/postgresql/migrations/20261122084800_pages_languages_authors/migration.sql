-- AlterTable
ALTER TABLE "posts" ADD COLUMN     "language" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "listed_in" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "parent_id" TEXT,
ADD COLUMN     "translation_of" TEXT,
ADD COLUMN     "type" TEXT NOT NULL DEFAULT 'post';

-- CreateTable
CREATE TABLE "post_authors" (
    "post_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "user_id" TEXT,
    "name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "post_authors_pkey" PRIMARY KEY ("post_id","position")
);

-- CreateTable
CREATE TABLE "author_posts" (
    "post_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "listed_in" TEXT NOT NULL,
    "published_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "author_posts_pkey" PRIMARY KEY ("post_id","user_id")
);

-- CreateIndex
CREATE INDEX "post_authors_user_id_post_id_idx" ON "post_authors"("user_id", "post_id");

-- CreateIndex
CREATE INDEX "author_posts_user_id_listed_in_published_at_post_id_idx" ON "author_posts"("user_id", "listed_in", "published_at", "post_id");

-- CreateIndex
CREATE INDEX "posts_listed_in_status_published_at_id_idx" ON "posts"("listed_in", "status", "published_at", "id");

-- CreateIndex
CREATE INDEX "posts_category_id_listed_in_status_published_at_idx" ON "posts"("category_id", "listed_in", "status", "published_at");

-- CreateIndex
CREATE INDEX "posts_parent_id_idx" ON "posts"("parent_id");

-- CreateIndex
CREATE INDEX "posts_translation_of_idx" ON "posts"("translation_of");

-- AddForeignKey
ALTER TABLE "post_authors" ADD CONSTRAINT "post_authors_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_authors" ADD CONSTRAINT "post_authors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "author_posts" ADD CONSTRAINT "author_posts_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Fills the derived table from what is public.
INSERT INTO "author_posts" ("post_id", "user_id", "listed_in", "published_at")
SELECT "id", "author_id", '', "published_at" FROM "posts"
WHERE "status" = 'published' AND "author_id" IS NOT NULL AND "published_at" IS NOT NULL;

INSERT INTO "post_counts" ("list", "status", "month", "posts")
SELECT 'by:' || "user_id", 'published', '', count(*) FROM "author_posts" GROUP BY "user_id"
UNION ALL
SELECT 'by:' || "user_id", 'published', to_char("published_at", 'YYYY-MM'), count(*) FROM "author_posts" GROUP BY "user_id", to_char("published_at", 'YYYY-MM');

-- Lists other than the main one (pages, other languages) are counted beside the whole: "/-" is all that the main list does
-- not show, "/<list>" one of them (decision 014).
CREATE FUNCTION "count_posts_elsewhere"("list" TEXT, "listed_in" TEXT, "status" TEXT, "published_at" TIMESTAMP(3), "change" INTEGER)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF $2 <> '' THEN
        PERFORM "count_posts"($1 || '/-', $3, $4, $5);
        PERFORM "count_posts"($1 || '/' || $2, $3, $4, $5);
    END IF;
END $$;

CREATE FUNCTION "posts_counted_elsewhere"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "one" TEXT;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM "count_posts_elsewhere"('all', OLD."listed_in", OLD."status", OLD."published_at", -1);
        IF OLD."category_id" IS NOT NULL THEN
            PERFORM "count_posts_elsewhere"('category:' || OLD."category_id", OLD."listed_in", OLD."status", OLD."published_at", -1);
        END IF;
        FOR "one" IN SELECT "tag_id" FROM "post_tags" WHERE "post_id" = OLD."id" LOOP
            PERFORM "count_posts_elsewhere"('tag:' || "one", OLD."listed_in", OLD."status", OLD."published_at", -1);
        END LOOP;
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    PERFORM "count_posts_elsewhere"('all', NEW."listed_in", NEW."status", NEW."published_at", 1);
    IF NEW."category_id" IS NOT NULL THEN
        PERFORM "count_posts_elsewhere"('category:' || NEW."category_id", NEW."listed_in", NEW."status", NEW."published_at", 1);
    END IF;
    FOR "one" IN SELECT "tag_id" FROM "post_tags" WHERE "post_id" = NEW."id" LOOP
        PERFORM "count_posts_elsewhere"('tag:' || "one", NEW."listed_in", NEW."status", NEW."published_at", 1);
    END LOOP;
    UPDATE "tag_posts" SET "listed_in" = NEW."listed_in" WHERE "post_id" = NEW."id" AND "tag_posts"."listed_in" <> NEW."listed_in";
    RETURN NULL;
END $$;
CREATE TRIGGER "posts_counted_elsewhere_when_inserted" AFTER INSERT ON "posts"
FOR EACH ROW WHEN (NEW."listed_in" <> '') EXECUTE FUNCTION "posts_counted_elsewhere"();
CREATE TRIGGER "posts_counted_elsewhere_when_updated"
AFTER UPDATE OF "status", "published_at", "category_id", "listed_in" ON "posts"
FOR EACH ROW WHEN ((OLD."listed_in" <> '' OR NEW."listed_in" <> '') AND (
    OLD."status" <> NEW."status" OR OLD."published_at" IS DISTINCT FROM NEW."published_at"
    OR OLD."category_id" IS DISTINCT FROM NEW."category_id" OR OLD."listed_in" <> NEW."listed_in"
)) EXECUTE FUNCTION "posts_counted_elsewhere"();
-- Before: afterwards its tags are gone too.
CREATE TRIGGER "posts_counted_elsewhere_when_deleted" BEFORE DELETE ON "posts"
FOR EACH ROW WHEN (OLD."listed_in" <> '') EXECUTE FUNCTION "posts_counted_elsewhere"();

CREATE FUNCTION "tag_posts_follow_lists"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."listed_in" := (SELECT "listed_in" FROM "posts" WHERE "id" = NEW."post_id");
    RETURN NEW;
END $$;
CREATE TRIGGER "tag_posts_follow_lists" BEFORE INSERT ON "tag_posts"
FOR EACH ROW EXECUTE FUNCTION "tag_posts_follow_lists"();

-- Holds the post, so that a change of its state at the same moment comes before or after, not between. Finds nothing when
-- the post is gone, whose own trigger has counted it out.
CREATE FUNCTION "post_tags_counted_elsewhere"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "own" RECORD;
BEGIN
    SELECT "listed_in", "status", "published_at" INTO "own" FROM "posts"
    WHERE "id" = CASE TG_OP WHEN 'INSERT' THEN NEW."post_id" ELSE OLD."post_id" END FOR NO KEY UPDATE;
    IF NOT FOUND OR "own"."listed_in" = '' THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        PERFORM "count_posts_elsewhere"('tag:' || OLD."tag_id", "own"."listed_in", "own"."status", "own"."published_at", -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM "count_posts_elsewhere"('tag:' || NEW."tag_id", "own"."listed_in", "own"."status", "own"."published_at", 1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "post_tags_counted_elsewhere" AFTER INSERT OR DELETE OR UPDATE OF "tag_id" ON "post_tags"
FOR EACH ROW EXECUTE FUNCTION "post_tags_counted_elsewhere"();

CREATE FUNCTION "author_posts_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM "count_posts"(
            'by:' || OLD."user_id" || CASE OLD."listed_in" WHEN '' THEN '' ELSE '/' || OLD."listed_in" END,
            'published', OLD."published_at", -1);
    ELSE
        PERFORM "count_posts"(
            'by:' || NEW."user_id" || CASE NEW."listed_in" WHEN '' THEN '' ELSE '/' || NEW."listed_in" END,
            'published', NEW."published_at", 1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "author_posts_counted" AFTER INSERT OR DELETE ON "author_posts"
FOR EACH ROW EXECUTE FUNCTION "author_posts_counted"();
