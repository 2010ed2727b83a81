-- AlterTable
ALTER TABLE "revisions" ADD COLUMN "release_id" TEXT;
