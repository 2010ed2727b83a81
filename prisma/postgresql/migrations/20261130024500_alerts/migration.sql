-- CreateTable
CREATE TABLE "alerts" (
    "cause" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "changed_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("cause")
);
