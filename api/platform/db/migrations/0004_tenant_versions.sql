-- A tenant's version moves with everything all its visitors see, in the transaction that changes it, so that no writer can forget.
CREATE FUNCTION move_tenant_version() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public
  AS $$
  BEGIN
    UPDATE public.customers SET version = version + 1 WHERE customer_id = public.current_customer();
    RETURN NULL;
  END $$;
--> statement-breakpoint
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['categories', 'videos', 'product_options', 'lessons', 'attachments', 'banners', 'notices', 'faq', 'pages', 'product_search'] LOOP
    EXECUTE format('CREATE TRIGGER moves_version AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version()', target);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE TRIGGER moves_version AFTER INSERT OR DELETE ON products FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version();
--> statement-breakpoint
-- Everything of a product but its counters: those move with every like and every roll-up, and may be some seconds old.
CREATE TRIGGER changes_version AFTER UPDATE OF code, kind, access, status, title, summary, description, poster, poster_tall, gallery, video_id,
  duration_seconds, lesson_count, age_rating, tags, category_ids, price_amount, list_price_amount, price_type, currency, option_count,
  sale_from, sale_to, sort, seo_title, seo_description, created_at
  ON products FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version();
--> statement-breakpoint
CREATE FUNCTION move_own_version() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    IF (NEW.settings, NEW.use_customer, NEW.use_site, NEW.code) IS DISTINCT FROM (OLD.settings, OLD.use_customer, OLD.use_site, OLD.code) THEN
      NEW.version := greatest(NEW.version, OLD.version + 1);
    END IF;
    RETURN NEW;
  END $$;
--> statement-breakpoint
CREATE TRIGGER moves_version BEFORE UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION move_own_version();
