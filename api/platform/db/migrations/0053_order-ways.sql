ALTER TABLE "orders" ADD COLUMN "recorded_as" text;--> statement-breakpoint
CREATE INDEX "payments_received" ON "payments" USING btree ("customer_id","settled_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE method = 'BANK' and status = 'PAID';--> statement-breakpoint
CREATE INDEX "order_items_product" ON "order_items" USING btree ("customer_id","product_id","order_id");--> statement-breakpoint
CREATE INDEX "orders_way" ON "orders" USING btree ("customer_id",(CASE WHEN complimentary THEN 'COMPLIMENTARY' WHEN recorded_as IS NOT NULL THEN 'RECORDED' WHEN total_amount = 0 THEN 'FREE' ELSE method END),"created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_total" ON "orders" USING btree ("customer_id","total_amount" DESC NULLS LAST,"id" DESC NULLS LAST);
