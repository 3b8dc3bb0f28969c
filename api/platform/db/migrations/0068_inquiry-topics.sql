ALTER TABLE "inquiry_types" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "inquiry_types" ADD COLUMN "hidden" boolean DEFAULT false NOT NULL;