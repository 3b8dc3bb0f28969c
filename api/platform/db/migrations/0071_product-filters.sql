-- One statement, so that the table is written once.
ALTER TABLE "products"
  ADD COLUMN "title_sort" text GENERATED ALWAYS AS (left(lower(title), 100)) STORED,
  ADD COLUMN "filter_keys" tsvector GENERATED ALWAYS AS (CASE WHEN octet_length((array_to_tsvector(array_remove(array_remove(tags, null), '') || category_ids::text[]))::text) <= 1000 THEN array_to_tsvector(array_remove(array_remove(tags, null), '') || category_ids::text[]) END) STORED,
  ADD COLUMN "lacks" integer GENERATED ALWAYS AS ((poster ->> 'url' like '%/plain-______.webp')::int + 2 * (price_amount is null and access in ('PURCHASE', 'PURCHASE_OR_PLAN'))::int
        + 4 * (category_ids = '{}')::int + 8 * (description = '')::int + 16 * (video_id is null)::int) STORED;--> statement-breakpoint
CREATE INDEX "products_filters" ON "products" USING btree ("customer_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST,"title_sort","price_amount","kind","status","sale_from","sale_to","filter_keys","lacks");
