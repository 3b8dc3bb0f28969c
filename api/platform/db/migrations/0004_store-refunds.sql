ALTER TABLE "cancel_requests" ADD COLUMN "by_store" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "members_latest" ON "members" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_latest" ON "orders" USING btree ("customer_id","created_at" DESC NULLS LAST);