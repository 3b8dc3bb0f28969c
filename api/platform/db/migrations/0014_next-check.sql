ALTER TABLE "payments" RENAME COLUMN "ask_at" TO "next_check_at";--> statement-breakpoint
ALTER TABLE "cards" RENAME COLUMN "ask_at" TO "next_check_at";--> statement-breakpoint
ALTER TABLE "subscription_charges" RENAME COLUMN "ask_at" TO "next_check_at";--> statement-breakpoint
ALTER INDEX "cards_to_ask" RENAME TO "cards_to_check";--> statement-breakpoint
ALTER INDEX "subscriptions_one_standing" RENAME TO "subscriptions_one_current";--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_status";--> statement-breakpoint
ALTER TABLE "mails" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "mails" SET "status" = 'NOT_SENT' WHERE "status" = 'KEPT';--> statement-breakpoint
ALTER TABLE "mails" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_status" CHECK ("mails"."status" in ('QUEUED', 'SENT', 'FAILED', 'NOT_SENT'));--> statement-breakpoint
ALTER TABLE "cases" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "cases" SET "data" = ("data" - 'givenBack') || jsonb_build_object('refundedAmount', "data" -> 'givenBack') WHERE "data" ? 'givenBack';--> statement-breakpoint
ALTER TABLE "cases" FORCE ROW LEVEL SECURITY;
