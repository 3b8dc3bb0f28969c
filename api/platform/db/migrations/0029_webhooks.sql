CREATE TABLE "webhook_attempts" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"duration_milliseconds" integer NOT NULL,
	"url" text NOT NULL,
	"request_headers" jsonb NOT NULL,
	"failure" text,
	"response_status" integer,
	"response_body" text DEFAULT '' NOT NULL,
	CONSTRAINT "webhook_attempts_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"status" text DEFAULT 'QUEUED' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"response_status" integer,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('QUEUED', 'DELIVERED', 'FAILED'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"event_types" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_events_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_of_delivery" FOREIGN KEY ("customer_id","delivery_id") REFERENCES "public"."webhook_deliveries"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint" FOREIGN KEY ("customer_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_of_event" FOREIGN KEY ("customer_id","event_id") REFERENCES "public"."webhook_events"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("customer_id","delivery_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("customer_id","due_at") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_latest" ON "webhook_deliveries" USING btree ("customer_id","endpoint_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("customer_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_events_oldest" ON "webhook_events" USING btree ("customer_id","created_at");--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "webhook_endpoints" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "webhook_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "webhook_events" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "webhook_deliveries" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "webhook_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_attempts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "webhook_attempts" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
-- The tenants with due background work, for a round over all of them. Its conditions are those of the tasks in api/worker.ts.
-- The policies let the owner read past the tenants inside of this function alone, which returns ids.
CREATE OR REPLACE FUNCTION customers_with_due_work("until" timestamptz) RETURNS SETOF uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  BEGIN
    -- Until the end of this function. An error ends the transaction and the setting with it.
    PERFORM set_config('marquee.reads_due_work', 'on', true);
    RETURN QUERY
    SELECT customer_id FROM public.orders WHERE status IS NULL AND expires_at <= "until"
     UNION SELECT customer_id FROM public.orders WHERE status = 'DEPOSIT_WAITING'
     UNION SELECT customer_id FROM public.payments
            WHERE status IN ('READY', 'PROCESSING') AND (next_check_at IS NULL OR next_check_at <= "until")
     UNION SELECT customer_id FROM public.payments
            WHERE method = 'BANK' AND settled_at >= "until" - interval '30 days' AND (next_check_at IS NULL OR next_check_at <= "until")
     UNION SELECT customer_id FROM public.cancel_requests WHERE outcome IS NULL AND next_attempt_at <= "until"
     UNION SELECT customer_id FROM public.cases WHERE status = 'WAIT' AND data ?| '{paymentId,chargeId}'
     UNION SELECT customer_id FROM public.subscription_charges
            WHERE status = 'PENDING' AND (next_check_at IS NULL OR next_check_at <= "until")
     UNION SELECT customer_id FROM public.subscription_charges WHERE failure = 'UNAPPLIED' AND refunded_amount < amount
     UNION SELECT customer_id FROM public.subscription_charges WHERE refund_total > refunded_amount
     UNION SELECT customer_id FROM public.subscriptions WHERE ended_at IS NULL AND activated_at IS NULL
     UNION SELECT customer_id FROM public.subscriptions
            WHERE ended_at IS NULL AND least(cancel_at, period_end, next_attempt_at) <= "until"
     UNION SELECT customer_id FROM public.cards WHERE status = 'READY' AND (next_check_at IS NULL OR next_check_at <= "until")
     UNION SELECT customer_id FROM public.sandbox_deliveries WHERE delivered_at IS NULL AND due_at <= "until"
     UNION SELECT customer_id FROM public.mails WHERE status = 'QUEUED' AND due_at <= "until"
     UNION SELECT customer_id FROM public.webhook_deliveries WHERE status = 'QUEUED' AND due_at <= "until"
     UNION SELECT customer_id FROM public.video_jobs
            WHERE status IN ('QUEUED', 'RUNNING') AND (status = 'RUNNING' OR due_at <= now())
     UNION SELECT customer_id FROM public.video_jobs WHERE status IN ('FAILED', 'CANCELLED') AND step IS NOT NULL
     -- One look-up for each tenant that has events, however many those are.
     UNION SELECT customer_id FROM (
       WITH RECURSIVE tenants AS (
         (SELECT customer_id FROM public.product_events ORDER BY customer_id LIMIT 1)
         UNION ALL
         SELECT (SELECT e.customer_id FROM public.product_events e WHERE e.customer_id > t.customer_id ORDER BY e.customer_id LIMIT 1)
           FROM tenants t WHERE t.customer_id IS NOT NULL
       )
       SELECT customer_id FROM tenants WHERE customer_id IS NOT NULL
     ) with_events;
    PERFORM set_config('marquee.reads_due_work', 'off', true);
  END $$;
--> statement-breakpoint
CREATE POLICY due_work ON "webhook_deliveries" FOR SELECT TO CURRENT_USER USING (current_setting('marquee.reads_due_work', true) = 'on');
