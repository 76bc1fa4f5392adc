CREATE TABLE "labels" (
	"workspace_id" uuid NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"label" text NOT NULL,
	"actor_kind" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "labels_workspace_id_subject_kind_subject_id_pk" PRIMARY KEY("workspace_id","subject_kind","subject_id")
);
--> statement-breakpoint
CREATE TABLE "observed_rules" (
	"workspace_id" uuid NOT NULL,
	"rule_id" text NOT NULL,
	"actor_kind" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "observed_rules_workspace_id_rule_id_pk" PRIMARY KEY("workspace_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "view_alerts" (
	"workspace_id" uuid NOT NULL,
	"alert_id" uuid NOT NULL,
	"view_id" uuid NOT NULL,
	"name" text NOT NULL,
	"condition" text NOT NULL,
	"threshold" integer NOT NULL,
	"window_minutes" integer NOT NULL,
	"mail_to" text[] NOT NULL,
	"quiet_from" integer,
	"quiet_to" integer,
	"zone" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (6) with time zone,
	"opened_at" timestamp (6) with time zone,
	"opened_visits" integer,
	"opened_limit" integer,
	"closed_at" timestamp (6) with time zone,
	"notice_due_at" timestamp (6) with time zone,
	CONSTRAINT "view_alerts_workspace_id_alert_id_pk" PRIMARY KEY("workspace_id","alert_id")
);
--> statement-breakpoint
CREATE TABLE "visit_rules" (
	"workspace_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"rule_id" text NOT NULL,
	"is_observed" boolean NOT NULL,
	CONSTRAINT "visit_rules_workspace_id_event_id_rule_id_pk" PRIMARY KEY("workspace_id","event_id","rule_id")
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
ALTER TABLE "view_alerts" ADD CONSTRAINT "view_alerts_view" FOREIGN KEY ("workspace_id","view_id") REFERENCES "public"."report_views"("workspace_id","view_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "labels_created" ON "labels" USING btree ("workspace_id","created_at","subject_id");--> statement-breakpoint
CREATE INDEX "visit_rules_rule" ON "visit_rules" USING btree ("workspace_id","rule_id","event_id");