ALTER TABLE "videos" ADD COLUMN "retired_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "retired_from" uuid;--> statement-breakpoint
ALTER TABLE "video_jobs" ADD COLUMN "due_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "videos_retired" ON "videos" USING btree ("customer_id","retired_at") WHERE retired_at is not null;