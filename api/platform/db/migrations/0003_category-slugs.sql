DROP INDEX "categories_slug";--> statement-breakpoint
-- Existing slugs follow the rule of addresses: lower case, single hyphens, unique among siblings. The owner of the tables is held by
-- the policies otherwise.
ALTER TABLE "categories" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE categories
   SET slug = coalesce(nullif(trim(BOTH '-' FROM regexp_replace(lower(normalize(slug, NFC)), '-{2,}', '-', 'g')), ''), 'category')
 WHERE slug <> coalesce(nullif(trim(BOTH '-' FROM regexp_replace(lower(normalize(slug, NFC)), '-{2,}', '-', 'g')), ''), 'category');
--> statement-breakpoint
DO $$
DECLARE
  twin record;
  count integer;
BEGIN
  FOR twin IN
    SELECT customer_id, id, parent_id, slug
      FROM (SELECT c.*, row_number() OVER (PARTITION BY customer_id, parent_id, slug ORDER BY sort, id) AS place FROM categories c) ranked
     WHERE place > 1 ORDER BY customer_id, place
  LOOP
    count := 2;
    WHILE EXISTS (
      SELECT 1 FROM categories c
       WHERE c.customer_id = twin.customer_id AND c.parent_id IS NOT DISTINCT FROM twin.parent_id
         AND c.slug = twin.slug || '-' || count
    ) LOOP
      count := count + 1;
    END LOOP;
    UPDATE categories c SET slug = twin.slug || '-' || count WHERE c.customer_id = twin.customer_id AND c.id = twin.id;
  END LOOP;
END $$;--> statement-breakpoint
ALTER TABLE "categories" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- Deferred to the commit: an import may exchange the slugs of two categories.
ALTER TABLE "categories" ADD CONSTRAINT "categories_slug" UNIQUE NULLS NOT DISTINCT("customer_id","parent_id","slug") DEFERRABLE INITIALLY DEFERRED;
