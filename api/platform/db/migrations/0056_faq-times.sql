ALTER TABLE "faq" ADD COLUMN "starts_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "faq" ADD COLUMN "ends_at" timestamp with time zone;