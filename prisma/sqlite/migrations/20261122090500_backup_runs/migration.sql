-- CreateTable
CREATE TABLE "backup_runs" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "finished_at" DATETIME NOT NULL,
    "backup" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "seconds" INTEGER NOT NULL,
    "proven" BOOLEAN NOT NULL,
    "next_expected_at" DATETIME
);

-- CreateIndex
CREATE INDEX "backup_runs_finished_at_idx" ON "backup_runs"("finished_at");
