CREATE INDEX "products_by_title" ON "products" USING btree ("customer_id","title_sort","id");--> statement-breakpoint
CREATE INDEX "products_by_lowest_price" ON "products" USING btree ("customer_id",(CASE WHEN price_amount IS NULL THEN 9999999999999 ELSE price_amount END),"id");--> statement-breakpoint
CREATE INDEX "products_by_highest_price" ON "products" USING btree ("customer_id",(CASE WHEN price_amount IS NULL THEN -1 ELSE price_amount END),"id");--> statement-breakpoint
CREATE INDEX "products_lacks" ON "products" USING btree ("customer_id","lacks");