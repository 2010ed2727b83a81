ALTER TABLE "posts" ADD COLUMN "send_by_email" TEXT NOT NULL DEFAULT '';
ALTER TABLE "posts" ADD COLUMN "email_subject" TEXT NOT NULL DEFAULT '';
ALTER TABLE "posts" ADD COLUMN "email_preview" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "subscribers" (
    "id" TEXT NOT NULL PRIMARY KEY,
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
    "confirm_until" DATETIME,
    "asked_at" DATETIME,
    "source" TEXT NOT NULL DEFAULT '',
    "consent_at" DATETIME,
    "state_at" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "subscriber_erasures" (
    "email_hash" TEXT NOT NULL PRIMARY KEY,
    "erased_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "newsletter_issues" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "post_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "preview" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "reason" TEXT NOT NULL DEFAULT '',
    "recipients" INTEGER NOT NULL DEFAULT 0,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "faults" INTEGER NOT NULL DEFAULT 0,
    "due_at" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    "finished_at" DATETIME
);

-- CreateTable
CREATE TABLE "newsletter_recipients" (
    "issue_id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" DATETIME NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "sent_at" DATETIME,

    PRIMARY KEY ("issue_id", "subscriber_id")
);

-- CreateTable
CREATE TABLE "newsletter_limits" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "until" DATETIME NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0
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
