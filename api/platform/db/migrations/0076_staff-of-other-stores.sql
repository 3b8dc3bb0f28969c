CREATE INDEX "staff_memberships_person" ON "staff_memberships" USING btree ("staff_id");--> statement-breakpoint
-- Lets the owner read past the tenants inside of the function below alone, which says yes or no of a person of the present one.
CREATE POLICY of_person ON "staff_memberships" FOR SELECT TO CURRENT_USER USING (current_setting('marquee.reads_memberships', true) = 'on');--> statement-breakpoint
CREATE FUNCTION is_staff_elsewhere(person uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  DECLARE
    store uuid := public.current_customer();
    here bigint;
    elsewhere bigint;
  BEGIN
    PERFORM set_config('marquee.reads_memberships', 'on', true);
    SELECT count(*) FILTER (WHERE customer_id = store), count(*) FILTER (WHERE customer_id <> store) INTO here, elsewhere
      FROM public.staff_memberships WHERE staff_id = person;
    PERFORM set_config('marquee.reads_memberships', 'off', true);
    RETURN here > 0 AND elsewhere > 0;
  END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION is_staff_elsewhere(uuid) FROM PUBLIC;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION is_staff_elsewhere(uuid) TO marquee_app;
