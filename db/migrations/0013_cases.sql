CREATE TABLE "case_entries" (
	"workspace_id" uuid NOT NULL,
	"case_id" uuid NOT NULL,
	"entry_id" uuid NOT NULL,
	"at" timestamp (6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"kind" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"former" text DEFAULT '' NOT NULL,
	"item_kind" text,
	"item_value" text,
	"device_id" uuid,
	CONSTRAINT "case_entries_workspace_id_case_id_at_entry_id_pk" PRIMARY KEY("workspace_id","case_id","at","entry_id")
);
--> statement-breakpoint
CREATE TABLE "case_items" (
	"workspace_id" uuid NOT NULL,
	"case_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"device_id" uuid,
	"note" text DEFAULT '' NOT NULL,
	"added_by" text NOT NULL,
	"added_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "case_items_workspace_id_case_id_kind_value_pk" PRIMARY KEY("workspace_id","case_id","kind","value")
);
--> statement-breakpoint
CREATE TABLE "cases" (
	"workspace_id" uuid NOT NULL,
	"case_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"assignee_id" text DEFAULT '' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cases_workspace_id_case_id_pk" PRIMARY KEY("workspace_id","case_id")
);
--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_workspace_id_workspaces_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "case_entries_item" ON "case_entries" USING btree ("workspace_id","item_kind","item_value") WHERE item_value is not null;--> statement-breakpoint
CREATE INDEX "case_entries_device" ON "case_entries" USING btree ("workspace_id","device_id") WHERE device_id is not null;--> statement-breakpoint
CREATE INDEX "case_items_value" ON "case_items" USING btree ("workspace_id","kind","value");--> statement-breakpoint
CREATE INDEX "case_items_device" ON "case_items" USING btree ("workspace_id","device_id") WHERE device_id is not null;--> statement-breakpoint
CREATE INDEX "cases_changed" ON "cases" USING btree ("workspace_id","changed_at","case_id");--> statement-breakpoint
CREATE INDEX "cases_status" ON "cases" USING btree ("workspace_id","status","changed_at","case_id");--> statement-breakpoint
CREATE INDEX "cases_assignee" ON "cases" USING btree ("workspace_id","assignee_id","changed_at","case_id");