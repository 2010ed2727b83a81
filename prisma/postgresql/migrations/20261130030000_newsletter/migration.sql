ALTER TABLE "posts" ADD COLUMN "send_by_email" TEXT NOT NULL DEFAULT '';
ALTER TABLE "posts" ADD COLUMN "email_subject" TEXT NOT NULL DEFAULT '';
ALTER TABLE "posts" ADD COLUMN "email_preview" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "subscribers" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "frequency" TEXT NOT NULL DEFAULT 'each',
    "categories" TEXT NOT NULL DEFAULT '[]',
    "language" TEXT NOT NULL DEFAULT '',
    "token" TEXT NOT NULL,
    "confirm_hash" TEXT,
    "confirm_until" TIMESTAMP(3),
    "asked_at" TIMESTAMP(3),
    "source" TEXT NOT NULL DEFAULT '',
    "consent_at" TIMESTAMP(3),
    "state_at" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "subscribers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriber_erasures" (
    "email_hash" TEXT NOT NULL,
    "erased_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "subscriber_erasures_pkey" PRIMARY KEY ("email_hash")
);

-- CreateTable
CREATE TABLE "newsletter_issues" (
    "id" TEXT NOT NULL,
    "post_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "preview" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "reason" TEXT NOT NULL DEFAULT '',
    "recipients" INTEGER NOT NULL DEFAULT 0,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "faults" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "finished_at" TIMESTAMP(3),

    CONSTRAINT "newsletter_issues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "newsletter_recipients" (
    "issue_id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMP(3) NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "sent_at" TIMESTAMP(3),

    CONSTRAINT "newsletter_recipients_pkey" PRIMARY KEY ("issue_id", "subscriber_id")
);

-- CreateTable
CREATE TABLE "newsletter_limits" (
    "key" TEXT NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "newsletter_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "subscribers_email_key_key" ON "subscribers"("email_key");

-- CreateIndex
CREATE UNIQUE INDEX "subscribers_token_key" ON "subscribers"("token");

-- CreateIndex
CREATE UNIQUE INDEX "subscribers_confirm_hash_key" ON "subscribers"("confirm_hash");

-- CreateIndex
CREATE INDEX "subscribers_state_email_key_idx" ON "subscribers"("state", "email_key");

-- CreateIndex
CREATE INDEX "subscribers_state_state_at_idx" ON "subscribers"("state", "state_at");

-- CreateIndex
CREATE UNIQUE INDEX "newsletter_issues_post_id_key" ON "newsletter_issues"("post_id");

-- CreateIndex
CREATE INDEX "newsletter_issues_state_id_idx" ON "newsletter_issues"("state", "id");

-- CreateIndex
CREATE INDEX "newsletter_recipients_issue_id_state_due_at_idx" ON "newsletter_recipients"("issue_id", "state", "due_at");

-- CreateIndex
CREATE INDEX "newsletter_recipients_subscriber_id_state_idx" ON "newsletter_recipients"("subscriber_id", "state");

-- CreateIndex
CREATE INDEX "newsletter_limits_until_idx" ON "newsletter_limits"("until");
