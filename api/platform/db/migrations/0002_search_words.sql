CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE TABLE "search_words" (
	"customer_id" uuid NOT NULL,
	"word" text NOT NULL,
	CONSTRAINT "search_words_customer_id_word_pk" PRIMARY KEY("customer_id","word")
);
--> statement-breakpoint
ALTER TABLE "search_words" ADD CONSTRAINT "search_words_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "search_words" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "search_words" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON "search_words" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
--> statement-breakpoint
DROP INDEX "product_search_tokens";
--> statement-breakpoint
CREATE INDEX "product_search_tokens" ON "product_search" USING gin ("customer_id","tokens");
--> statement-breakpoint
ALTER TABLE "product_search" DROP COLUMN "plain";
--> statement-breakpoint
-- Full-text operators are not leakproof, so a policy would keep the index from being used. The function below stands in for the
-- policy: it reads with its owner's rights and names the transaction's tenant itself.
ALTER TABLE "product_search" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE FUNCTION matching_products(query text, most integer) RETURNS TABLE (product_id uuid, rank real)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.product_id, ts_rank(s.tokens, query::tsquery)
      FROM public.product_search s
     WHERE s.customer_id = public.current_customer() AND s.tokens @@ query::tsquery
     LIMIT most
  $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION matching_products(text, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION matching_products(text, integer) TO marquee_app;
