-- CreateTable
CREATE TABLE "alerts" (
    "cause" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "changed_at" DATETIME NOT NULL
);
