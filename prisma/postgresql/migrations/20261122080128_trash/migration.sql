-- AlterTable
ALTER TABLE "media" ADD COLUMN     "trashed_at" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "posts" ADD COLUMN     "slug_follows_title" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "trash_items" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "path" TEXT NOT NULL DEFAULT '',
    "owner_id" TEXT,
    "details" TEXT NOT NULL DEFAULT '{}',
    "trashed_by_id" TEXT,
    "trashed_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "trash_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "undo_steps" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "changes" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "undo_steps_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "trash_items_trashed_at_idx" ON "trash_items"("trashed_at");

-- CreateIndex
CREATE INDEX "trash_items_owner_id_trashed_at_idx" ON "trash_items"("owner_id", "trashed_at");

-- CreateIndex
CREATE INDEX "trash_items_path_idx" ON "trash_items"("path");

-- CreateIndex
CREATE INDEX "media_trashed_at_idx" ON "media"("trashed_at");

-- CreateIndex
CREATE INDEX "undo_steps_user_id_created_at_idx" ON "undo_steps"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "undo_steps_created_at_idx" ON "undo_steps"("created_at");
