ALTER TABLE "orders" ADD COLUMN "recorded_as" text;--> statement-breakpoint
ALTER TABLE "subscription_events" ADD COLUMN "charge_id" uuid;--> statement-breakpoint
-- Sales that were recorded before: their payments came without an account to pay into. Row-level security would hide the rows.
ALTER TABLE "orders" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "payments" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "order_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE orders SET recorded_as = 'OTHER'
 WHERE EXISTS (SELECT FROM payments p WHERE p.customer_id = orders.customer_id AND p.order_id = orders.id AND p.provider = 'manual')
   AND NOT EXISTS (SELECT FROM order_events e WHERE e.customer_id = orders.customer_id AND e.order_id = orders.id AND e.type = 'DEPOSIT_ISSUED');--> statement-breakpoint
ALTER TABLE "orders" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "payments" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "order_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "payments_received" ON "payments" USING btree ("customer_id","settled_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE method = 'BANK' and status = 'PAID';--> statement-breakpoint
CREATE INDEX "order_items_product" ON "order_items" USING btree ("customer_id","product_id","order_id");--> statement-breakpoint
CREATE INDEX "orders_way" ON "orders" USING btree ("customer_id",(CASE WHEN complimentary THEN 'COMPLIMENTARY' WHEN recorded_as IS NOT NULL THEN 'RECORDED' WHEN total_amount = 0 THEN 'FREE' ELSE method END),"created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_total" ON "orders" USING btree ("customer_id","total_amount" DESC NULLS LAST,"id" DESC NULLS LAST);
