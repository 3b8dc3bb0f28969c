CREATE INDEX "cards_to_forget" ON "cards" USING btree ("customer_id") WHERE status = 'REMOVED' and token is not null;--> statement-breakpoint
CREATE POLICY due_work ON "bulk_jobs" FOR SELECT TO CURRENT_USER USING (current_setting('marquee.reads_due_work', true) = 'on');--> statement-breakpoint
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
            WHERE ended_at IS NULL AND paused_at IS NULL AND least(cancel_at, period_end, next_attempt_at) <= "until"
     UNION SELECT customer_id FROM public.subscriptions
            WHERE ended_at IS NULL AND paused_at IS NOT NULL AND least(cancel_at, resume_at) <= "until"
     UNION SELECT customer_id FROM public.product_options WHERE next_price_at <= "until"
     UNION SELECT customer_id FROM public.cards WHERE status = 'READY' AND (next_check_at IS NULL OR next_check_at <= "until")
     UNION SELECT customer_id FROM public.cards WHERE status IN ('FAILED', 'REMOVED') AND next_check_at <= "until"
     UNION SELECT customer_id FROM public.cards WHERE status = 'REMOVED' AND token IS NOT NULL
     UNION SELECT customer_id FROM public.sandbox_deliveries WHERE delivered_at IS NULL AND due_at <= "until"
     UNION SELECT customer_id FROM public.mails WHERE status = 'QUEUED' AND due_at <= "until"
     UNION SELECT customer_id FROM public.webhook_deliveries WHERE status = 'QUEUED' AND due_at <= "until"
     UNION SELECT customer_id FROM public.video_jobs
            WHERE status IN ('QUEUED', 'RUNNING') AND (status = 'RUNNING' OR due_at <= now())
     UNION SELECT customer_id FROM public.video_jobs WHERE status IN ('FAILED', 'CANCELLED') AND step IS NOT NULL
     UNION SELECT customer_id FROM public.bulk_jobs WHERE finished_at IS NULL
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
