ALTER TABLE "subscription_events" ADD COLUMN "plan_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription_events" ADD COLUMN "plan_translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
-- Events before this one were shown with the plan's present name, which they keep. The owner of the tables is held by the policies
-- otherwise.
ALTER TABLE "subscription_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "plans" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE subscription_events e
   SET plan_name = p.name,
       plan_translations = coalesce((
         SELECT jsonb_object_agg(t.locale, jsonb_build_object('name', t.texts -> 'name'))
           FROM jsonb_each(p.translations) AS t (locale, texts)
          WHERE t.texts ? 'name'), '{}')
  FROM plans p
 WHERE p.customer_id = e.customer_id AND p.id = e.plan_id;
--> statement-breakpoint
ALTER TABLE "plans" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "subscription_events" FORCE ROW LEVEL SECURITY;
