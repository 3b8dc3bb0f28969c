/**
 * A function that policies ask: whether the present tenant has a row in a table. A node without the
 * tenant is asked for changes alone, which the coordinator's policy has allowed. `$2` of the
 * condition is the function's argument.
 */
const existsInTenant = (signature: string, table: string, condition: string) =>
  `CREATE OR REPLACE FUNCTION ${signature} RETURNS boolean
     LANGUAGE plpgsql STABLE SET search_path TO 'pg_catalog', 'public' SET citus.allow_nested_distributed_execution TO 'on'
     AS $$
   DECLARE
     tenant uuid := public.current_customer();
     rows_of_tenant text;
     answer boolean;
   BEGIN
     IF tenant IS NULL THEN RETURN false; END IF;
     rows_of_tenant := to_regclass(public.shard_of('${table}', tenant))::text;
     IF rows_of_tenant IS NULL THEN
       IF (SELECT groupid FROM pg_dist_local_group) > 0 THEN RETURN true; END IF;
       rows_of_tenant := 'public.${table}';
     END IF;
     EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE customer_id = $1 AND ${condition})', rows_of_tenant)
       INTO answer USING tenant, $1;
     RETURN answer;
   END $$`

/**
 * Definitions that differ in a cluster, where a trigger or a policy runs on the node that has the
 * tenant, beside the parts of its other tables. These parts are read and written by their own
 * names, because a node does not start a distributed statement within another one.
 */
export const clusterDefinitions = [
  `CREATE OR REPLACE FUNCTION shard_of(relation text, tenant uuid) RETURNS text
     LANGUAGE plpgsql STABLE STRICT SET search_path TO 'pg_catalog', 'public'
     AS $$
   BEGIN
     RETURN format('public.%I', relation || '_' || get_shard_id_for_distribution_column(format('public.%I', relation)::regclass, tenant));
   END $$`,
  `CREATE OR REPLACE FUNCTION move_tenant_version() RETURNS trigger
     LANGUAGE plpgsql SET search_path TO 'pg_catalog', 'public' SET citus.enable_manual_changes_to_shards TO 'on'
     AS $$
   DECLARE
     tenant uuid := public.current_customer();
     noted text := coalesce(current_setting('marquee.changed_products', true), '');
     moved bigint;
   BEGIN
     -- A statement of several tenants fires on each part, also on those without rows of this one.
     IF format('public.%I', TG_TABLE_NAME) = public.shard_of(regexp_replace(TG_TABLE_NAME, '_\\d+$', ''), tenant) THEN
       EXECUTE format('UPDATE %s SET version = version + 1 WHERE customer_id = $1 RETURNING version', public.shard_of('customers', tenant))
         INTO moved USING tenant;
       IF moved IS NULL THEN RETURN NULL; END IF;
       EXECUTE format(
         'INSERT INTO %s (customer_id, slot, version, product_ids) VALUES ($1, $2 %% 256, $2, $3)
              ON CONFLICT (customer_id, slot) DO UPDATE SET version = excluded.version, product_ids = excluded.product_ids',
         public.shard_of('product_changes', tenant)
       ) USING tenant, moved, CASE WHEN length(noted) < 7400 THEN string_to_array(ltrim(noted, ','), ',')::uuid[] END;
       IF noted <> '' THEN PERFORM set_config('marquee.changed_products', '', true); END IF;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION refuse_member_gone() RETURNS trigger
     LANGUAGE plpgsql SET search_path TO 'pg_catalog', 'public'
     AS $$
   DECLARE present uuid;
   BEGIN
     IF NEW.member_id IS NULL OR NEW.customer_id IS DISTINCT FROM public.current_customer() THEN RETURN NEW; END IF;
     EXECUTE format(
       'SELECT id FROM %s WHERE customer_id = $1 AND id = $2 AND withdrawn_at IS NULL FOR KEY SHARE',
       public.shard_of('members', NEW.customer_id)
     ) INTO present USING NEW.customer_id, NEW.member_id;
     IF present IS NULL THEN RAISE EXCEPTION 'The member has left' USING ERRCODE = 'MQ401'; END IF;
     RETURN NEW;
   END $$`,
  // Parameters of functions in SQL are not known when a statement is distributed.
  `CREATE OR REPLACE FUNCTION matching_products(tenant uuid, query text, most integer) RETURNS TABLE(ordinals text, ranks text)
     LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'public'
     AS $$
   BEGIN
     IF tenant IS DISTINCT FROM public.current_customer() THEN RETURN QUERY SELECT NULL::text, NULL::text; RETURN; END IF;
     RETURN QUERY SELECT string_agg(found.ordinal::text, ','), string_agg(found.rank::text, ',')
       FROM (
         SELECT s.ordinal, (ts_rank(s.tokens, query::tsquery) * 1000000)::int AS rank
           FROM public.product_search s WHERE s.customer_id = tenant AND s.tokens @@ query::tsquery
          LIMIT most
       ) found;
   END $$`,
  `CREATE OR REPLACE FUNCTION matching_passages(tenant uuid, query text, phrase text, sought integer, most integer)
     RETURNS TABLE(video_id uuid, language text, shared integer, cues jsonb)
     LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'public'
     AS $$
   #variable_conflict use_column
   BEGIN
     IF tenant IS DISTINCT FROM public.current_customer() THEN RETURN; END IF;
     RETURN QUERY SELECT c.video_id, c.language, c.shared, c.cues
       FROM (
         SELECT p.video_id, p.language, p.place, p.shared, p.cues, strpos(p.folded, phrase) > 0 AS whole
           FROM public.caption_passages p WHERE p.customer_id = tenant AND p.tokens @@ query::tsquery
          LIMIT sought
       ) c
      ORDER BY c.whole DESC, row_number() OVER (PARTITION BY c.video_id ORDER BY c.whole DESC, c.place), c.video_id, c.language
      LIMIT most;
   END $$`,
  // The same conditions as on one server. Settings reach the nodes with SET LOCAL alone, and a
  // statement of several nodes is not recursive.
  `DO $migrate$
   DECLARE name text; definition text;
   BEGIN
     FOREACH name IN ARRAY ARRAY['customers_with_due_work', 'customers_with_due_domains'] LOOP
       definition := pg_get_functiondef(('public.' || name)::regproc);
       definition := regexp_replace(definition, 'SELECT customer_id FROM \\(\\s+WITH RECURSIVE .*\\) with_events', 'SELECT DISTINCT customer_id FROM public.product_events');
       definition := regexp_replace(definition, 'PERFORM set_config\\(''([a-z_.]+)'', ''(\\w+)'', true\\)', 'SET LOCAL \\1 = ''\\2''', 'g');
       EXECUTE definition;
     END LOOP;
   END $migrate$`,
  existsInTenant('is_staff_of_store(person uuid)', 'staff_memberships', 'staff_id = $2'),
  existsInTenant('is_verified_host(name text)', 'domain_verifications', 'host = $2 AND verified_at IS NOT NULL'),
  'DROP POLICY IF EXISTS known ON staff',
  `CREATE POLICY known ON staff USING (email_lower = current_setting('marquee.staff_email', true) OR is_staff_of_store(id))`,
  // A trigger on a node cannot write the copies of all nodes: whoever inserts a store does.
  'DROP TRIGGER IF EXISTS copies_code ON customers',
]
