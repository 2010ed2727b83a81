-- CreateTable
CREATE TABLE "releases" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "publish_at" TIMESTAMP(3),
    "published_at" TIMESTAMP(3),
    "rollback_of_id" TEXT,
    "problem" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "releases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "release_items" (
    "id" TEXT NOT NULL,
    "release_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "fields" TEXT NOT NULL DEFAULT '{}',
    "undo" TEXT,
    "author_id" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "release_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_previews" (
    "id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "instant" TIMESTAMP(3) NOT NULL,
    "is_shared" BOOLEAN NOT NULL,
    "created_by_id" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "site_previews_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "releases_status_publish_at_id_idx" ON "releases"("status", "publish_at", "id");

-- CreateIndex
CREATE INDEX "release_items_kind_subject_id_idx" ON "release_items"("kind", "subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "release_items_release_id_kind_subject_id_key" ON "release_items"("release_id", "kind", "subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "site_previews_token_hash_key" ON "site_previews"("token_hash");

-- CreateIndex
CREATE INDEX "site_previews_created_at_idx" ON "site_previews"("created_at");

-- AddForeignKey
ALTER TABLE "release_items" ADD CONSTRAINT "release_items_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "releases"("id") ON DELETE CASCADE ON UPDATE CASCADE;
