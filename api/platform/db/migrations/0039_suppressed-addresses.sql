CREATE TABLE "suppressed_addresses" (
	"customer_id" uuid NOT NULL,
	"address" text NOT NULL,
	"source" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suppressed_addresses_customer_id_address_pk" PRIMARY KEY("customer_id","address"),
	CONSTRAINT "suppressed_addresses_source" CHECK ("suppressed_addresses"."source" in ('REFUSED', 'STAFF'))
);
--> statement-breakpoint
CREATE INDEX "suppressed_addresses_latest" ON "suppressed_addresses" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "suppressed_addresses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "suppressed_addresses" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "suppressed_addresses" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
