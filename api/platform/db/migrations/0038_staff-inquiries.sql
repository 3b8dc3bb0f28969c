CREATE TABLE "inquiry_drafts" (
	"customer_id" uuid NOT NULL,
	"inquiry_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"body" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "inquiry_drafts_customer_id_inquiry_id_staff_id_pk" PRIMARY KEY("customer_id","inquiry_id","staff_id")
);
--> statement-breakpoint
CREATE TABLE "saved_replies" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_replies_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
ALTER TABLE "inquiries" ADD COLUMN "assignee_id" uuid;--> statement-breakpoint
ALTER TABLE "inquiry_files" ADD COLUMN "sender_id" uuid;--> statement-breakpoint
ALTER TABLE "inquiry_drafts" ADD CONSTRAINT "inquiry_drafts_customer_id_inquiry_id_inquiries_customer_id_id_fk" FOREIGN KEY ("customer_id","inquiry_id") REFERENCES "public"."inquiries"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_replies_title" ON "saved_replies" USING btree ("customer_id",lower("title"));--> statement-breakpoint
CREATE INDEX "inquiries_assignee" ON "inquiries" USING btree ("customer_id","assignee_id","status","updated_at");--> statement-breakpoint
ALTER TABLE "inquiry_drafts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "inquiry_drafts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "inquiry_drafts" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "saved_replies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "saved_replies" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "saved_replies" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
