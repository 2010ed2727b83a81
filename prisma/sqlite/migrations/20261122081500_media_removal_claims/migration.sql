-- AlterTable
ALTER TABLE "media_removals" ADD COLUMN "claimed_until" DATETIME;
