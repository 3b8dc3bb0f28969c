CREATE TABLE "provisions" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"entitlement_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"accepted" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "provisions_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "provisions_kind" CHECK ("provisions"."kind" in ('PLAY', 'DOWNLOAD'))
);
--> statement-breakpoint
ALTER TABLE "provisions" ADD CONSTRAINT "provisions_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisions" ADD CONSTRAINT "provisions_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisions" ADD CONSTRAINT "provisions_customer_id_entitlement_id_entitlements_customer_id_id_fk" FOREIGN KEY ("customer_id","entitlement_id") REFERENCES "public"."entitlements"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provisions_product" ON "provisions" USING btree ("customer_id","member_id","product_id");--> statement-breakpoint
ALTER TABLE provisions ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE provisions FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON provisions USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
-- Evidence is appended, never changed.
REVOKE UPDATE, DELETE ON provisions FROM marquee_app;
