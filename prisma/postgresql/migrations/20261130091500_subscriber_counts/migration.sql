-- CreateTable
CREATE TABLE "subscriber_counts" (
    "state" TEXT NOT NULL,
    "frequency" TEXT NOT NULL,
    "categories" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "subscribers" INTEGER NOT NULL,

    CONSTRAINT "subscriber_counts_pkey" PRIMARY KEY ("state", "frequency", "categories", "month")
);

-- Counts are kept by the database itself, so that every writer keeps them (decision 014). Somebody joins the list in the
-- month of the consent and leaves it in that of the last change of the state.
CREATE FUNCTION "subscriber_changes"(
    "state" TEXT, "frequency" TEXT, "categories" TEXT, "consent_at" TIMESTAMP(3), "state_at" TIMESTAMP(3), "change" INTEGER
) RETURNS SETOF "subscriber_counts" LANGUAGE sql STABLE AS $$
    SELECT $1, $2, $3, '', $6
    UNION ALL SELECT '', '', '', to_char($4, 'YYYY-MM'), $6 WHERE $4 IS NOT NULL
    UNION ALL SELECT '', '', '', to_char(greatest($4, $5), 'YYYY-MM'), -$6 WHERE $4 IS NOT NULL AND $1 <> 'active';
$$;

-- Each statement adds its sums once: a sum that one transaction changes for each of many rows would be slow.
CREATE FUNCTION "subscribers_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE "changes" "subscriber_counts"[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        "changes" := ARRAY(SELECT "subscriber_changes"("state", "frequency", "categories", "consent_at", "state_at", 1) FROM "added");
    ELSIF TG_OP = 'DELETE' THEN
        "changes" := ARRAY(SELECT "subscriber_changes"("state", "frequency", "categories", "consent_at", "state_at", -1) FROM "removed");
    ELSE
        "changes" := ARRAY(
            SELECT "subscriber_changes"("state", "frequency", "categories", "consent_at", "state_at", -1) FROM "removed"
            UNION ALL
            SELECT "subscriber_changes"("state", "frequency", "categories", "consent_at", "state_at", 1) FROM "added"
        );
    END IF;
    INSERT INTO "subscriber_counts" ("state", "frequency", "categories", "month", "subscribers")
    SELECT "state", "frequency", "categories", "month", sum("subscribers")
    FROM unnest("changes")
    GROUP BY 1, 2, 3, 4 HAVING sum("subscribers") <> 0
    ORDER BY 1, 2, 3, 4
    ON CONFLICT ("state", "frequency", "categories", "month")
    DO UPDATE SET "subscribers" = "subscriber_counts"."subscribers" + excluded."subscribers";
    RETURN NULL;
END $$;

CREATE TRIGGER "subscribers_counted_when_inserted" AFTER INSERT ON "subscribers"
REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "subscribers_counted"();

CREATE TRIGGER "subscribers_counted_when_updated" AFTER UPDATE ON "subscribers"
REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "subscribers_counted"();

CREATE TRIGGER "subscribers_counted_when_deleted" AFTER DELETE ON "subscribers"
REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "subscribers_counted"();

-- The subscribers of the days before this table.
INSERT INTO "subscriber_counts" ("state", "frequency", "categories", "month", "subscribers")
SELECT "state", "frequency", "categories", "month", sum("change")
FROM (
    SELECT "state", "frequency", "categories", '' AS "month", 1 AS "change" FROM "subscribers"
    UNION ALL SELECT '', '', '', to_char("consent_at", 'YYYY-MM'), 1 FROM "subscribers" WHERE "consent_at" IS NOT NULL
    UNION ALL SELECT '', '', '', to_char(greatest("consent_at", "state_at"), 'YYYY-MM'), -1 FROM "subscribers"
    WHERE "consent_at" IS NOT NULL AND "state" <> 'active'
) AS "counted"
GROUP BY 1, 2, 3, 4 HAVING sum("change") <> 0;
