-- AlterTable
ALTER TABLE "users" ADD COLUMN "picture" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "users" ADD COLUMN "links" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "categories" ADD COLUMN "picture" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "tags" ADD COLUMN "picture" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "media" ADD COLUMN "color" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "posts" ADD COLUMN "social_card" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "embeds" (
    "url" TEXT NOT NULL PRIMARY KEY,
    "details" TEXT NOT NULL,
    "fetched_at" DATETIME NOT NULL
);
