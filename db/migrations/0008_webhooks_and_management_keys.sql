CREATE TABLE "webhook_announcements" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"announced_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_announcements_workspace_id_event_id_pk" PRIMARY KEY("workspace_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"workspace_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"stream" uuid NOT NULL,
	"payload" text NOT NULL,
	"occurred_at" timestamp (6) with time zone NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp (6) with time zone,
	"due_at" timestamp (6) with time zone NOT NULL,
	"lease" uuid,
	"ended_at" timestamp (6) with time zone,
	"last_status" integer,
	"last_duration_ms" integer,
	"last_answer" text DEFAULT '' NOT NULL,
	"last_problem" text DEFAULT '' NOT NULL,
	CONSTRAINT "webhook_deliveries_workspace_id_delivery_id_pk" PRIMARY KEY("workspace_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"workspace_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"event_types" text[] NOT NULL,
	"web_app_ids" uuid[] NOT NULL,
	"statuses" text[] NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"disabled_because" text DEFAULT '' NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"overlap_until" timestamp (6) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (6) with time zone,
	"retry_at" timestamp (6) with time zone,
	"notice_due_at" timestamp (6) with time zone,
	CONSTRAINT "webhook_endpoints_workspace_id_endpoint_id_pk" PRIMARY KEY("workspace_id","endpoint_id")
);
--> statement-breakpoint
CREATE TABLE "management_keys" (
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"pepper_id" text NOT NULL,
	"preview" text NOT NULL,
	"last_four" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	"revoked_at" timestamp (6) with time zone,
	"last_used_at" timestamp (6) with time zone,
	CONSTRAINT "management_keys_workspace_id_key_id_pk" PRIMARY KEY("workspace_id","key_id")
);
--> statement-breakpoint
ALTER TABLE "allowed_origins" ADD COLUMN "expires_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "management_keys" ADD CONSTRAINT "management_keys_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("workspace_id","endpoint_id","due_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_stream" ON "webhook_deliveries" USING btree ("workspace_id","endpoint_id","stream","occurred_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_listed" ON "webhook_deliveries" USING btree ("workspace_id","endpoint_id","occurred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "management_keys_hash" ON "management_keys" USING btree ("key_hash");