-- AlterTable
ALTER TABLE "sitemap_entries" ADD COLUMN     "shown" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "content_changes" (
    "version" INTEGER NOT NULL,
    "keys" TEXT NOT NULL,

    CONSTRAINT "content_changes_pkey" PRIMARY KEY ("version")
);
