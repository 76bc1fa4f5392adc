CREATE TABLE "agent_signatures" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL
);
