-- AlterTable
ALTER TABLE "revisions" ADD COLUMN "outcome" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "text_changes" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "changes" TEXT NOT NULL,
    "changed_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "text_changes_changed_at_idx" ON "text_changes"("changed_at");
