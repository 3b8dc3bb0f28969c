CREATE TABLE "catalog_imports" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"table_name" text NOT NULL,
	"file_name" text NOT NULL,
	"actor" text NOT NULL,
	"counts" jsonb NOT NULL,
	"before" "bytea",
	"after_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "catalog_imports_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE INDEX "catalog_imports_latest" ON "catalog_imports" USING btree ("customer_id","created_at");--> statement-breakpoint
ALTER TABLE "catalog_imports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "catalog_imports" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "catalog_imports" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
