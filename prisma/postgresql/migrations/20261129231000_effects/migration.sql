ALTER TABLE "site_state" ADD COLUMN "effect_plan" TEXT NOT NULL DEFAULT '{}';
ALTER TABLE "site_state" ADD COLUMN "instance_id" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "effects" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "receiver" TEXT NOT NULL DEFAULT '',
    "lane" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "details" TEXT NOT NULL DEFAULT '{}',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "due_at" TIMESTAMP(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "claimed_by" TEXT NOT NULL DEFAULT '',
    "last_error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMP(3) NOT NULL,
    "finished_at" TIMESTAMP(3),
    "acknowledged_at" TIMESTAMP(3),

    CONSTRAINT "effects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "former_secret" TEXT NOT NULL DEFAULT '',
    "former_until" TIMESTAMP(3),
    "paused_at" TIMESTAMP(3),
    "pause_reason" TEXT NOT NULL DEFAULT '',
    "failing_since" TIMESTAMP(3),
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "effect_id" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "error" TEXT NOT NULL DEFAULT '',
    "request" TEXT NOT NULL,
    "response" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "effects_state_due_at_idx" ON "effects"("state", "due_at");

-- CreateIndex
CREATE INDEX "effects_lane_sequence_idx" ON "effects"("lane", "sequence");

-- CreateIndex
CREATE INDEX "effects_subject_id_idx" ON "effects"("subject", "id");

-- CreateIndex
CREATE INDEX "effects_receiver_state_due_at_idx" ON "effects"("receiver", "state", "due_at");

-- CreateIndex
CREATE INDEX "effects_finished_at_idx" ON "effects"("finished_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_id_idx" ON "webhook_deliveries"("webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_at_idx" ON "webhook_deliveries"("at");
