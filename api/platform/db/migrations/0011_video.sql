CREATE TABLE "operator_tokens" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_tokens_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "plays" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"part" text NOT NULL,
	"device" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "plays_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_figures" (
	"customer_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"part" text NOT NULL,
	"day" date NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL,
	"finishes" integer DEFAULT 0 NOT NULL,
	"played_seconds" real DEFAULT 0 NOT NULL,
	CONSTRAINT "product_figures_customer_id_product_id_part_day_pk" PRIMARY KEY("customer_id","product_id","part","day")
);
--> statement-breakpoint
CREATE TABLE "video_jobs" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"lesson_id" uuid,
	"video_id" uuid NOT NULL,
	"status" text DEFAULT 'QUEUED' NOT NULL,
	"step" text,
	"percent" real DEFAULT 0 NOT NULL,
	"seconds_left" integer,
	"source_key" text NOT NULL,
	"source_name" text NOT NULL,
	"source_bytes" bigint NOT NULL,
	"wish" jsonb NOT NULL,
	"failure" text,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"actor" text NOT NULL,
	"seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "video_jobs_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "video_jobs_status" CHECK ("video_jobs"."status" in ('QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED'))
);
--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "height" integer;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "audio" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "storyboard" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "poster_candidates" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "bytes" bigint;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "drm" jsonb;--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "dismissed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product_events" ADD COLUMN "part" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "product_events" ADD COLUMN "seconds" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plays" ADD CONSTRAINT "plays_customer_id_session_id_sessions_customer_id_id_fk" FOREIGN KEY ("customer_id","session_id") REFERENCES "public"."sessions"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_figures" ADD CONSTRAINT "product_figures_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_jobs" ADD CONSTRAINT "video_jobs_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_tokens_hash" ON "operator_tokens" USING btree ("customer_id","token_hash");--> statement-breakpoint
CREATE INDEX "plays_live" ON "plays" USING btree ("customer_id","member_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "product_figures_day" ON "product_figures" USING btree ("customer_id","day");--> statement-breakpoint
CREATE INDEX "video_jobs_open" ON "video_jobs" USING btree ("customer_id","created_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "video_jobs_latest" ON "video_jobs" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
-- Every new table that carries a tenant refuses the rows of all others, to whoever asks, the owner included.
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['operator_tokens', 'plays', 'product_figures', 'video_jobs'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY tenant ON %I USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer())', target);
  END LOOP;
END $$;
