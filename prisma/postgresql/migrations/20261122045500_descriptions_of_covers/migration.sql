-- A description belongs to the use of a picture in a post: covers that showed the library's keep it as their own.
UPDATE "posts"
SET "cover_alt" = COALESCE((SELECT "media"."alt" FROM "media" WHERE "media"."id" = "posts"."cover_media_id"), '')
WHERE "cover_alt" = '' AND "cover_media_id" IS NOT NULL;
