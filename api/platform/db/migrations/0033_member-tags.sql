CREATE TABLE "member_tags" (
	"customer_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_tags_customer_id_member_id_tag_pk" PRIMARY KEY("customer_id","member_id","tag")
);
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "search_text" text GENERATED ALWAYS AS (email_lower || chr(10) || lower(name)) STORED;--> statement-breakpoint
ALTER TABLE "member_tags" ADD CONSTRAINT "member_tags_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_tags_tag" ON "member_tags" USING btree ("customer_id","tag");--> statement-breakpoint
CREATE INDEX "members_search" ON "members" USING btree ("customer_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST,"search_text") WHERE withdrawn_at is null;--> statement-breakpoint
ALTER TABLE "member_tags" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "member_tags" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "member_tags" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
