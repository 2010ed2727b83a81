-- CreateIndex
CREATE INDEX "redirects_created_at_idx" ON "redirects"("created_at");
