ALTER TABLE "payment_attempts" ADD COLUMN "facilitator" text;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "final_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "taken_back_at" timestamp (6) with time zone;--> statement-breakpoint
CREATE INDEX "payment_attempts_not_final" ON "payment_attempts" USING btree ("resolved_at") WHERE outcome = 'settled' and final_at is null and taken_back_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "trial_intents_claim" ON "trial_intents" USING btree ("claim_hash");--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_taken_back_once_settled" CHECK ("payment_attempts"."taken_back_at" is null or ("payment_attempts"."outcome" = 'settled' and "payment_attempts"."final_at" is null));