-- AlterTable
ALTER TABLE "revisions" ADD COLUMN     "outcome" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "text_changes" (
    "id" TEXT NOT NULL,
    "changes" TEXT NOT NULL,
    "changed_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "text_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "text_changes_changed_at_idx" ON "text_changes"("changed_at");
