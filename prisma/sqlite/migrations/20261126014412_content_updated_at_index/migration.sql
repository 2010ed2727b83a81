-- CreateIndex
CREATE INDEX "posts_content_updated_at_idx" ON "posts"("content_updated_at");
