-- CreateTable
CREATE TABLE "content_changes" (
    "version" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "keys" TEXT NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_sitemap_entries" (
    "path" TEXT NOT NULL PRIMARY KEY,
    "post_id" TEXT NOT NULL,
    "last_modified" DATETIME NOT NULL,
    "shown" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "sitemap_entries_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_sitemap_entries" ("last_modified", "path", "post_id") SELECT "last_modified", "path", "post_id" FROM "sitemap_entries";
DROP TABLE "sitemap_entries";
ALTER TABLE "new_sitemap_entries" RENAME TO "sitemap_entries";
CREATE INDEX "sitemap_entries_post_id_idx" ON "sitemap_entries"("post_id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
