CREATE TABLE "domain_verifications" (
	"customer_id" uuid NOT NULL,
	"host" text NOT NULL,
	"token" text NOT NULL,
	"verified_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"answered" boolean DEFAULT true NOT NULL,
	"points_here" boolean,
	"next_check_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "domain_verifications_customer_id_host_pk" PRIMARY KEY("customer_id","host")
);
--> statement-breakpoint
CREATE INDEX "domain_verifications_next_check" ON "domain_verifications" USING btree ("customer_id","next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
ALTER TABLE "domain_verifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "domain_verifications" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "domain_verifications" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
CREATE POLICY due_work ON "domain_verifications" FOR SELECT TO CURRENT_USER USING (current_setting('marquee.reads_due_work', true) = 'on');--> statement-breakpoint
CREATE FUNCTION is_verified_host(name text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public'
    AS $$
    SELECT EXISTS (
      SELECT FROM public.domain_verifications
       WHERE customer_id = public.current_customer() AND host = name AND verified_at IS NOT NULL
    )
  $$;
--> statement-breakpoint
-- Operators add hosts to their store through the API. A host serves once it is in this table, which takes it from the serving role
-- only if that store has verified it. The owner of the table is not bound.
GRANT INSERT (customer_id, host), DELETE ON "customer_domains" TO marquee_app;--> statement-breakpoint
CREATE POLICY verified ON "customer_domains" FOR INSERT WITH CHECK (customer_id = current_customer() AND is_verified_host(host));--> statement-breakpoint
CREATE POLICY own ON "customer_domains" FOR DELETE USING (customer_id = current_customer());--> statement-breakpoint
-- The tenants with hosts that are to be checked, as customers_with_due_work returns those with other work.
CREATE FUNCTION customers_with_due_domains("until" timestamptz) RETURNS SETOF uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  BEGIN
    PERFORM set_config('marquee.reads_due_work', 'on', true);
    RETURN QUERY SELECT DISTINCT customer_id FROM public.domain_verifications WHERE next_check_at <= "until";
    PERFORM set_config('marquee.reads_due_work', 'off', true);
  END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION customers_with_due_domains(timestamptz) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION customers_with_due_domains(timestamptz) TO marquee_app;
