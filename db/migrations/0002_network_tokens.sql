CREATE TABLE "network_tokens" (
	"workspace_id" uuid NOT NULL,
	"network" bigint NOT NULL,
	"token_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"model" bigint NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"days" integer NOT NULL,
	"stratum" text,
	CONSTRAINT "network_tokens_workspace_id_network_token_id_pk" PRIMARY KEY("workspace_id","network","token_id")
);
--> statement-breakpoint
CREATE INDEX "network_tokens_newest" ON "network_tokens" USING btree ("workspace_id","network","last_day" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "network_tokens_device" ON "network_tokens" USING btree ("workspace_id","device_id");--> statement-breakpoint
CREATE INDEX "network_tokens_new" ON "network_tokens" USING btree ("workspace_id","first_day") WHERE stratum is not null;--> statement-breakpoint
CREATE INDEX "network_tokens_old" ON "network_tokens" USING btree ("last_day");