CREATE INDEX "members_name" ON "members" USING btree ("customer_id","name","id");--> statement-breakpoint
CREATE INDEX "members_partnership" ON "members" USING btree ("customer_id","partnership_name") WHERE partnership_name is not null;--> statement-breakpoint
CREATE INDEX "sessions_seen" ON "sessions" USING btree ("customer_id","last_seen_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE viewer is null;--> statement-breakpoint
CREATE TABLE "bulk_job_items" (
	"customer_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"key" text NOT NULL,
	"result" text,
	"reason" text,
	"before" jsonb,
	CONSTRAINT "bulk_job_items_customer_id_job_id_position_pk" PRIMARY KEY("customer_id","job_id","position")
);
--> statement-breakpoint
CREATE TABLE "bulk_jobs" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"filters" jsonb NOT NULL,
	"change" jsonb NOT NULL,
	"actor" text NOT NULL,
	"operator_id" uuid NOT NULL,
	"locale" text NOT NULL,
	"status" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"undo_of" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "bulk_jobs_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
ALTER TABLE "bulk_job_items" ADD CONSTRAINT "bulk_job_items_customer_id_job_id_bulk_jobs_customer_id_id_fk" FOREIGN KEY ("customer_id","job_id") REFERENCES "public"."bulk_jobs"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_jobs_latest" ON "bulk_jobs" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bulk_jobs_unfinished" ON "bulk_jobs" USING btree ("customer_id") WHERE finished_at is null;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "bulk_jobs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "bulk_jobs" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "bulk_job_items" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "bulk_job_items" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "bulk_job_items" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
