-- CreateTable
CREATE TABLE "backup_runs" (
    "id" TEXT NOT NULL,
    "finished_at" TIMESTAMP(3) NOT NULL,
    "backup" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "seconds" INTEGER NOT NULL,
    "proven" BOOLEAN NOT NULL,
    "next_expected_at" TIMESTAMP(3),

    CONSTRAINT "backup_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "backup_runs_finished_at_idx" ON "backup_runs"("finished_at");
