ALTER TABLE "provisions" RENAME TO "fulfillments";--> statement-breakpoint
ALTER TABLE "fulfillments" RENAME CONSTRAINT "provisions_customer_id_id_pk" TO "fulfillments_customer_id_id_pk";--> statement-breakpoint
ALTER TABLE "fulfillments" RENAME CONSTRAINT "provisions_kind" TO "fulfillments_kind";--> statement-breakpoint
ALTER TABLE "fulfillments" RENAME CONSTRAINT "provisions_customer_id_member_id_members_customer_id_id_fk" TO "fulfillments_customer_id_member_id_members_customer_id_id_fk";--> statement-breakpoint
ALTER TABLE "fulfillments" RENAME CONSTRAINT "provisions_customer_id_product_id_products_customer_id_id_fk" TO "fulfillments_customer_id_product_id_products_customer_id_id_fk";--> statement-breakpoint
ALTER TABLE "fulfillments" RENAME CONSTRAINT "provisions_customer_id_entitlement_id_entitlements_customer_id_id_fk" TO "fulfillments_customer_id_entitlement_id_entitlements_customer_id_id_fk";--> statement-breakpoint
ALTER INDEX "provisions_product" RENAME TO "fulfillments_product";--> statement-breakpoint
-- The policies hold the owner of the tables as well.
ALTER TABLE "audit" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cases" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "inquiry_messages" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "order_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "subscription_charges" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "subscription_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "video_jobs" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "inquiry_messages" DROP CONSTRAINT "inquiry_messages_author";--> statement-breakpoint
UPDATE inquiry_messages SET author = 'ADMIN' WHERE author = 'DESK';--> statement-breakpoint
ALTER TABLE "inquiry_messages" ADD CONSTRAINT "inquiry_messages_author" CHECK ("inquiry_messages"."author" in ('MEMBER', 'ADMIN'));--> statement-breakpoint
UPDATE audit SET actor = 'admin:' || substr(actor, 6) WHERE actor LIKE 'desk:%';--> statement-breakpoint
UPDATE video_jobs SET actor = 'admin:' || substr(actor, 6) WHERE actor LIKE 'desk:%';--> statement-breakpoint
UPDATE cases SET data = data || '{"kind": "UNAPPLIED_PAYMENT"}' WHERE data ->> 'kind' = 'UNDUE_PAYMENT';--> statement-breakpoint
UPDATE order_events SET type = 'UNAPPLIED_PAYMENT' WHERE type = 'UNDUE_MONEY';--> statement-breakpoint
UPDATE order_events SET type = 'UNAPPLIED_PAYMENT_REFUNDED' WHERE type = 'UNDUE_MONEY_RETURNED';--> statement-breakpoint
UPDATE subscription_charges SET failure = 'UNAPPLIED' WHERE failure = 'UNDUE';--> statement-breakpoint
UPDATE subscription_events SET detail = 'UNAPPLIED' WHERE detail = 'UNDUE';--> statement-breakpoint
ALTER TABLE "video_jobs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "subscription_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "subscription_charges" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "order_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "inquiry_messages" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cases" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "audit" FORCE ROW LEVEL SECURITY;
