ALTER TABLE "videos" ADD COLUMN "name" text;--> statement-breakpoint
CREATE TABLE "table_jobs" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"table_name" text NOT NULL,
	"file_name" text,
	"actor" text NOT NULL,
	"status" text DEFAULT 'RUNNING' NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"problems" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "table_jobs_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE INDEX "table_jobs_latest" ON "table_jobs" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "table_jobs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "table_jobs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "table_jobs" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
