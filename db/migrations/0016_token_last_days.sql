DROP INDEX "network_tokens_device";--> statement-breakpoint
CREATE INDEX "network_tokens_device_token" ON "network_tokens" USING btree ("workspace_id","device_id","token_id","last_day");