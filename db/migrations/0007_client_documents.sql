CREATE TABLE "client_documents" (
	"client_id" text PRIMARY KEY NOT NULL,
	"document" text NOT NULL,
	"read_at" timestamp (6) with time zone,
	"failed_at" timestamp (6) with time zone,
	"failed_client_id" text
);
