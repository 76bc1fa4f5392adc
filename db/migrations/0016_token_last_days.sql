CREATE INDEX "network_tokens_device_token" ON "network_tokens" USING btree ("workspace_id","device_id","token_id","last_day");--> statement-breakpoint
-- After the new index is built, because dropping one locks the table against reads until the end.
DROP INDEX "network_tokens_device";
