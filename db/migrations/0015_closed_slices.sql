CREATE TABLE "closed_slices" (
	"workspace_id" uuid NOT NULL,
	"code" smallint NOT NULL,
	"hours" smallint NOT NULL,
	"starts_at" timestamp (6) with time zone NOT NULL,
	"first" text NOT NULL,
	"second" text NOT NULL,
	"passed" integer NOT NULL,
	"suspicious" integer NOT NULL,
	"deceptive" integer NOT NULL,
	CONSTRAINT "closed_slices_workspace_id_code_hours_starts_at_first_second_pk" PRIMARY KEY("workspace_id","code","hours","starts_at","first","second")
);
