-- AlterTable
ALTER TABLE "media" ADD COLUMN "source_sha256" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "media_source_sha256_idx" ON "media"("source_sha256");

-- CreateIndex
CREATE INDEX "media_original_name_idx" ON "media"("original_name");
