DROP TABLE "device_claims" CASCADE;--> statement-breakpoint
DROP TABLE "device_keys" CASCADE;