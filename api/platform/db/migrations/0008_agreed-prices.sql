ALTER TABLE "subscription_quotes" ADD COLUMN "price_amount" bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_price_amount" bigint;