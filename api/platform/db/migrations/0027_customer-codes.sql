CREATE TABLE "customer_codes" (
	"customer_id" uuid NOT NULL,
	"code" text NOT NULL,
	CONSTRAINT "customer_codes_customer_id_pk" PRIMARY KEY("customer_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "customer_codes_code" ON "customer_codes" USING btree ("code");--> statement-breakpoint
INSERT INTO "customer_codes" ("customer_id", "code") SELECT customer_id, code FROM customers;--> statement-breakpoint
-- As for the tenants themselves: a code has to be resolved before a tenant is known.
ALTER TABLE "customer_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY readable ON "customer_codes" FOR SELECT USING (true);--> statement-breakpoint
-- The release before does not write this table.
CREATE FUNCTION copy_customer_code() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      DELETE FROM public.customer_codes WHERE customer_id = OLD.customer_id;
    ELSE
      INSERT INTO public.customer_codes (customer_id, code) VALUES (NEW.customer_id, NEW.code)
          ON CONFLICT (customer_id) DO UPDATE SET code = excluded.code;
    END IF;
    RETURN NULL;
  END $$;
--> statement-breakpoint
CREATE TRIGGER copies_code AFTER INSERT OR DELETE OR UPDATE OF code ON "customers" FOR EACH ROW EXECUTE FUNCTION copy_customer_code();--> statement-breakpoint
-- The conditions of a rate limit.
CREATE FUNCTION attempts_since(attempted_at bigint[], since bigint) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(array_agg(t), '{}') FROM unnest(attempted_at) t WHERE t > since $$;
--> statement-breakpoint
CREATE FUNCTION may_attempt(attempts bigint[], now bigint, most bigint, pause_after bigint, pause double precision) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT count(*) < most AND (count(*) < pause_after OR now - max(t) >= pause * power(2, count(*) - pause_after))
      FROM unnest(attempts) t
  $$;
