-- CreateTable
CREATE TABLE "subscriber_counts" (
    "state" TEXT NOT NULL,
    "frequency" TEXT NOT NULL,
    "categories" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "subscribers" INTEGER NOT NULL,

    PRIMARY KEY ("state", "frequency", "categories", "month")
);

-- Counts are kept by the database itself, so that every writer keeps them (decision 014). Somebody joins the list in the
-- month of the consent and leaves it in that of the last change of the state.
CREATE TRIGGER "subscribers_counted_when_inserted" AFTER INSERT ON "subscribers"
BEGIN
    INSERT INTO "subscriber_counts" ("state", "frequency", "categories", "month", "subscribers")
    SELECT "state", "frequency", "categories", "month", sum("change")
    FROM (
        SELECT NEW."state" AS "state", NEW."frequency" AS "frequency", NEW."categories" AS "categories", '' AS "month", 1 AS "change"
        UNION ALL SELECT '', '', '', substr(NEW."consent_at", 1, 7), 1 WHERE NEW."consent_at" IS NOT NULL
        UNION ALL SELECT '', '', '', substr(max(NEW."consent_at", NEW."state_at"), 1, 7), -1
        WHERE NEW."consent_at" IS NOT NULL AND NEW."state" <> 'active'
    )
    GROUP BY 1, 2, 3, 4 HAVING sum("change") <> 0
    ON CONFLICT ("state", "frequency", "categories", "month") DO UPDATE SET "subscribers" = "subscribers" + excluded."subscribers";
END;

CREATE TRIGGER "subscribers_counted_when_updated" AFTER UPDATE OF "state", "frequency", "categories", "consent_at", "state_at" ON "subscribers"
WHEN OLD."state" <> NEW."state" OR OLD."frequency" <> NEW."frequency" OR OLD."categories" <> NEW."categories"
    OR OLD."consent_at" IS NOT NEW."consent_at" OR OLD."state_at" <> NEW."state_at"
BEGIN
    INSERT INTO "subscriber_counts" ("state", "frequency", "categories", "month", "subscribers")
    SELECT "state", "frequency", "categories", "month", sum("change")
    FROM (
        SELECT OLD."state" AS "state", OLD."frequency" AS "frequency", OLD."categories" AS "categories", '' AS "month", -1 AS "change"
        UNION ALL SELECT '', '', '', substr(OLD."consent_at", 1, 7), -1 WHERE OLD."consent_at" IS NOT NULL
        UNION ALL SELECT '', '', '', substr(max(OLD."consent_at", OLD."state_at"), 1, 7), 1
        WHERE OLD."consent_at" IS NOT NULL AND OLD."state" <> 'active'
        UNION ALL
        SELECT NEW."state" AS "state", NEW."frequency" AS "frequency", NEW."categories" AS "categories", '' AS "month", 1 AS "change"
        UNION ALL SELECT '', '', '', substr(NEW."consent_at", 1, 7), 1 WHERE NEW."consent_at" IS NOT NULL
        UNION ALL SELECT '', '', '', substr(max(NEW."consent_at", NEW."state_at"), 1, 7), -1
        WHERE NEW."consent_at" IS NOT NULL AND NEW."state" <> 'active'
    )
    GROUP BY 1, 2, 3, 4 HAVING sum("change") <> 0
    ON CONFLICT ("state", "frequency", "categories", "month") DO UPDATE SET "subscribers" = "subscribers" + excluded."subscribers";
END;

CREATE TRIGGER "subscribers_counted_when_deleted" AFTER DELETE ON "subscribers"
BEGIN
    INSERT INTO "subscriber_counts" ("state", "frequency", "categories", "month", "subscribers")
    SELECT "state", "frequency", "categories", "month", sum("change")
    FROM (
        SELECT OLD."state" AS "state", OLD."frequency" AS "frequency", OLD."categories" AS "categories", '' AS "month", -1 AS "change"
        UNION ALL SELECT '', '', '', substr(OLD."consent_at", 1, 7), -1 WHERE OLD."consent_at" IS NOT NULL
        UNION ALL SELECT '', '', '', substr(max(OLD."consent_at", OLD."state_at"), 1, 7), 1
        WHERE OLD."consent_at" IS NOT NULL AND OLD."state" <> 'active'
    )
    GROUP BY 1, 2, 3, 4 HAVING sum("change") <> 0
    ON CONFLICT ("state", "frequency", "categories", "month") DO UPDATE SET "subscribers" = "subscribers" + excluded."subscribers";
END;

-- The subscribers of the days before this table.
INSERT INTO "subscriber_counts" ("state", "frequency", "categories", "month", "subscribers")
SELECT "state", "frequency", "categories", "month", sum("change")
FROM (
    SELECT "state", "frequency", "categories", '' AS "month", 1 AS "change" FROM "subscribers"
    UNION ALL SELECT '', '', '', substr("consent_at", 1, 7), 1 FROM "subscribers" WHERE "consent_at" IS NOT NULL
    UNION ALL SELECT '', '', '', substr(max("consent_at", "state_at"), 1, 7), -1 FROM "subscribers"
    WHERE "consent_at" IS NOT NULL AND "state" <> 'active'
) AS "counted"
GROUP BY 1, 2, 3, 4 HAVING sum("change") <> 0;
