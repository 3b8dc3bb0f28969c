-- The tenant of the running transaction; null outside of one, which matches no row.
CREATE FUNCTION current_customer() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('marquee.customer_id', true), '')::uuid $$;
--> statement-breakpoint
-- Every table that carries a tenant refuses the rows of all others, to whoever asks, the owner included.
DO $$
DECLARE target text;
BEGIN
  FOR target IN
    SELECT c.table_name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND c.column_name = 'customer_id' AND t.table_type = 'BASE TABLE'
      AND c.table_name NOT IN ('customers', 'customer_domains')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY tenant ON %I USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer())', target);
  END LOOP;
END $$;
--> statement-breakpoint
-- The tenants themselves may be read before a tenant is known (a host has to be resolved), and written only as oneself.
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY readable ON customers FOR SELECT USING (true);
--> statement-breakpoint
CREATE POLICY own ON customers FOR UPDATE USING (customer_id = current_customer());
--> statement-breakpoint
ALTER TABLE customer_domains ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY readable ON customer_domains FOR SELECT USING (true);
--> statement-breakpoint
-- The role the API connects as. It owns nothing; its password is set by whoever migrates.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'marquee_app') THEN
    CREATE ROLE marquee_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO marquee_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO marquee_app;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON customers, customer_domains FROM marquee_app;
--> statement-breakpoint
GRANT UPDATE (version) ON customers TO marquee_app;
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO marquee_app;
