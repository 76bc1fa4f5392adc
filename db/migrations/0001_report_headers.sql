ALTER TABLE "visits" ADD COLUMN "recognition" text;--> statement-breakpoint
ALTER TABLE "visits" ADD COLUMN "confidence" real;--> statement-breakpoint
ALTER TABLE "visits" ADD COLUMN "agent" text;