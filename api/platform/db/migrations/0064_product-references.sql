CREATE INDEX "likes_product" ON "likes" USING btree ("customer_id","product_id");--> statement-breakpoint
CREATE INDEX "positions_product" ON "positions" USING btree ("customer_id","product_id");--> statement-breakpoint
CREATE INDEX "viewed_products_product" ON "viewed_products" USING btree ("customer_id","product_id");--> statement-breakpoint
CREATE INDEX "entitlements_product" ON "entitlements" USING btree ("customer_id","product_id");--> statement-breakpoint
CREATE INDEX "plays_of_product" ON "plays" USING btree ("customer_id","product_id") WHERE ended_at is not null;