ALTER TABLE "cancel_requests" ADD COLUMN "keeps_items" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "refunded_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "complimentary" boolean DEFAULT false NOT NULL;