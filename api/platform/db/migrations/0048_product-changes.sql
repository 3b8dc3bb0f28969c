CREATE TABLE "product_changes" (
	"customer_id" uuid NOT NULL,
	"slot" integer NOT NULL,
	"version" bigint NOT NULL,
	"product_ids" uuid[],
	CONSTRAINT "product_changes_customer_id_slot_pk" PRIMARY KEY("customer_id","slot")
);
--> statement-breakpoint
ALTER TABLE "product_changes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "product_changes" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "product_changes" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
-- Collects the products that a statement changes in the product index, up to 200 of them.
CREATE FUNCTION note_indexed_product() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  DECLARE
    noted text := coalesce(current_setting('marquee.changed_products', true), '');
    product uuid;
  BEGIN
    IF length(noted) >= 7400 THEN RETURN NULL; END IF;
    IF TG_ARGV[0] = 'id' THEN
      IF TG_OP = 'DELETE' THEN product := OLD.id; ELSE product := NEW.id; END IF;
    ELSE
      IF TG_OP = 'DELETE' THEN product := OLD.product_id; ELSE product := NEW.product_id; END IF;
    END IF;
    IF strpos(noted, product::text) = 0 THEN
      PERFORM set_config('marquee.changed_products', noted || ',' || product, true);
    END IF;
    RETURN NULL;
  END $$;
--> statement-breakpoint
-- Each version of a tenant says which products of the index it changed. The row of the tenant is locked, so that versions are
-- committed in their order.
CREATE OR REPLACE FUNCTION move_tenant_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  DECLARE
    noted text := coalesce(current_setting('marquee.changed_products', true), '');
    moved bigint;
  BEGIN
    UPDATE public.customers SET version = version + 1 WHERE customer_id = public.current_customer() RETURNING version INTO moved;
    IF moved IS NULL THEN RETURN NULL; END IF;
    INSERT INTO public.product_changes (customer_id, slot, version, product_ids)
    VALUES (public.current_customer(), moved % 256, moved, CASE WHEN length(noted) < 7400 THEN string_to_array(ltrim(noted, ','), ',')::uuid[] END)
        ON CONFLICT (customer_id, slot) DO UPDATE SET version = excluded.version, product_ids = excluded.product_ids;
    IF noted <> '' THEN PERFORM set_config('marquee.changed_products', '', true); END IF;
    RETURN NULL;
  END $$;
--> statement-breakpoint
CREATE TRIGGER notes_indexed_product AFTER INSERT OR DELETE ON products FOR EACH ROW EXECUTE FUNCTION note_indexed_product('id');--> statement-breakpoint
CREATE TRIGGER notes_change_of_indexed_product AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.kind, OLD.access, OLD.status, OLD.video_id, OLD.duration_seconds, OLD.tags, OLD.category_ids, OLD.price_amount, OLD.sale_from,
         OLD.sale_to, OLD.sort, OLD.created_at)
    IS DISTINCT FROM (NEW.kind, NEW.access, NEW.status, NEW.video_id, NEW.duration_seconds, NEW.tags, NEW.category_ids, NEW.price_amount,
         NEW.sale_from, NEW.sale_to, NEW.sort, NEW.created_at))
  EXECUTE FUNCTION note_indexed_product('id');--> statement-breakpoint
CREATE TRIGGER notes_indexed_product AFTER INSERT OR DELETE ON product_options FOR EACH ROW EXECUTE FUNCTION note_indexed_product();--> statement-breakpoint
CREATE TRIGGER notes_change_of_indexed_product AFTER UPDATE ON product_options FOR EACH ROW
  WHEN ((OLD.on_sale, OLD.price_amount) IS DISTINCT FROM (NEW.on_sale, NEW.price_amount))
  EXECUTE FUNCTION note_indexed_product();--> statement-breakpoint
CREATE TRIGGER notes_indexed_product AFTER INSERT OR DELETE ON lessons FOR EACH ROW EXECUTE FUNCTION note_indexed_product();--> statement-breakpoint
CREATE TRIGGER notes_change_of_indexed_product AFTER UPDATE ON lessons FOR EACH ROW WHEN (OLD.video_id IS DISTINCT FROM NEW.video_id)
  EXECUTE FUNCTION note_indexed_product();--> statement-breakpoint
CREATE TRIGGER notes_indexed_product AFTER INSERT OR DELETE ON attachments FOR EACH ROW EXECUTE FUNCTION note_indexed_product();--> statement-breakpoint
CREATE TRIGGER notes_indexed_product AFTER INSERT OR DELETE ON product_search FOR EACH ROW EXECUTE FUNCTION note_indexed_product();
