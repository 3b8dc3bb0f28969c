-- A member who has left leaves nothing behind: what was under way when the account was closed is refused, whoever writes it and however
-- late. The lock waits for a leaving that is being decided.
CREATE FUNCTION refuse_member_gone() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public
  AS $$
  BEGIN
    -- A row of another tenant is for the policy to refuse.
    IF NEW.member_id IS NULL OR NEW.customer_id IS DISTINCT FROM public.current_customer() THEN RETURN NEW; END IF;
    PERFORM FROM public.members WHERE customer_id = NEW.customer_id AND id = NEW.member_id AND withdrawn_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'The member has left' USING ERRCODE = 'MQ401'; END IF;
    RETURN NEW;
  END $$;
--> statement-breakpoint
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['cards', 'carts', 'comment_reports', 'comments', 'inquiries', 'inquiry_files', 'likes', 'orders', 'subscriptions'] LOOP
    EXECUTE format('CREATE TRIGGER member_gone BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION refuse_member_gone()', target);
  END LOOP;
END $$;
