CREATE TABLE "visit_signals" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"packed" "bytea" NOT NULL,
	CONSTRAINT "visit_signals_workspace_id_event_id_pk" PRIMARY KEY("workspace_id","event_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
ALTER TABLE "visit_signals" ALTER COLUMN "packed" SET STORAGE EXTERNAL;--> statement-breakpoint
DROP INDEX "network_tokens_old";--> statement-breakpoint
ALTER TABLE "visits" ADD COLUMN "evidence_packed" "bytea";--> statement-breakpoint
ALTER TABLE "visits" ALTER COLUMN "evidence_packed" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "challenge_uses" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "payload_sightings" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "device_addresses" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "device_profiles" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
ALTER TABLE "devices" SET (autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
DO $$
DECLARE partition regclass;
BEGIN
	FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('visits'::regclass, 'account_links'::regclass) LOOP
		EXECUTE format('ALTER TABLE %s SET (autovacuum_vacuum_scale_factor = 0.05)', partition);
	END LOOP;
END $$;
