DROP FUNCTION matching_products(text, integer);
--> statement-breakpoint
DROP INDEX "product_search_tokens";
--> statement-breakpoint
-- Search rows are derived; those of before are made anew by the next refresh.
TRUNCATE "product_search";
--> statement-breakpoint
ALTER TABLE "product_search" ADD COLUMN "ordinal" integer NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "product_search_ordinal" ON "product_search" USING btree ("customer_id","ordinal");
--> statement-breakpoint
-- The tenant stands in front of each lexeme, so the tokens alone are enough to stay within it.
CREATE INDEX "product_search_tokens" ON "product_search" USING gin ("tokens");
--> statement-breakpoint
DROP EXTENSION btree_gin;
--> statement-breakpoint
-- Full-text operators are not leakproof, so a policy would keep the index from being used. This function stands in for the policy:
-- it reads with its owner's rights and answers only for the transaction's tenant.
CREATE FUNCTION matching_products(tenant uuid, query text, most integer) RETURNS TABLE (ordinals text, ranks text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT string_agg(found.ordinal::text, ','), string_agg(found.rank::text, ',')
      FROM (
        SELECT s.ordinal, (ts_rank(s.tokens, query::tsquery) * 1000000)::int AS rank
          FROM public.product_search s
         WHERE s.customer_id = tenant AND tenant = public.current_customer() AND s.tokens @@ query::tsquery
         LIMIT most
      ) found
  $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION matching_products(uuid, text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION matching_products(uuid, text, integer) TO marquee_app;
