ALTER TABLE "products" ADD COLUMN "counted_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "products_by_counted_at" ON "products" USING btree ("customer_id","counted_at") WHERE counted_at is not null;
