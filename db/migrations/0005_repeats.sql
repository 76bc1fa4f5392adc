CREATE TABLE "payload_sightings" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"kind" bigint NOT NULL,
	"durations" bigint,
	"all_durations" bigint,
	"token" bigint,
	"network" bigint NOT NULL,
	"picture" bigint,
	CONSTRAINT "payload_sightings_workspace_id_event_id_pk" PRIMARY KEY("workspace_id","event_id")
);
--> statement-breakpoint
ALTER TABLE "device_tokens" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "device_tokens" ADD COLUMN "presented_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "device_tokens" ADD COLUMN "offered_on" date;--> statement-breakpoint
ALTER TABLE "device_tokens" ADD COLUMN "reused_at" timestamp (6) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "payload_sightings_durations" ON "payload_sightings" USING btree ("workspace_id","durations");--> statement-breakpoint
CREATE INDEX "payload_sightings_kind" ON "payload_sightings" USING btree ("workspace_id","kind","event_id");--> statement-breakpoint
CREATE INDEX "payload_sightings_token" ON "payload_sightings" USING btree ("workspace_id","token","event_id");