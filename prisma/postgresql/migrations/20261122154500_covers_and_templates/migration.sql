-- AlterTable
ALTER TABLE "posts" ADD COLUMN "cover_decorative" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "posts" ADD COLUMN "cover_focus" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "posts" ADD COLUMN "cover_crop" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "posts" ADD COLUMN "template" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "posts_template_title_id_idx" ON "posts"("template", "title", "id");
