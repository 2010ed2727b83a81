-- CreateIndex
CREATE INDEX "media_mime_type_id_idx" ON "media"("mime_type", "id");
