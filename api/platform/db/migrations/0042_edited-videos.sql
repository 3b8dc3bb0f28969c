ALTER TABLE "videos" ADD COLUMN "manifest" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "preview_start_seconds" real;