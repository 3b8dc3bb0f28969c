ALTER TABLE "idempotency_keys" RENAME COLUMN "call" TO "procedure";--> statement-breakpoint
-- The policies hold the owner of the tables as well.
ALTER TABLE "cancel_requests" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "order_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "mails" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "idempotency_keys" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cancel_requests" DROP CONSTRAINT "cancel_requests_outcome";--> statement-breakpoint
UPDATE cancel_requests SET outcome = 'WITHDRAWN' WHERE outcome = 'TAKEN_BACK';--> statement-breakpoint
ALTER TABLE "cancel_requests" ADD CONSTRAINT "cancel_requests_outcome" CHECK ("cancel_requests"."outcome" in ('REFUNDED', 'REJECTED', 'WITHDRAWN'));--> statement-breakpoint
UPDATE order_events SET type = 'CANCEL_WITHDRAWN' WHERE type = 'CANCEL_TAKEN_BACK';--> statement-breakpoint
UPDATE mails SET once = 'unapplied:' || substr(once, 7) WHERE once LIKE 'undue:%';--> statement-breakpoint
-- Stored answers are sent again as they are.
UPDATE idempotency_keys
   SET answer = replace(replace(answer::text, '"CANCEL_TAKEN_BACK"', '"CANCEL_WITHDRAWN"'), '"TAKEN_BACK"', '"WITHDRAWN"')::jsonb
 WHERE answer::text LIKE '%TAKEN_BACK"%';--> statement-breakpoint
ALTER TABLE "idempotency_keys" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "mails" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "order_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cancel_requests" FORCE ROW LEVEL SECURITY;
