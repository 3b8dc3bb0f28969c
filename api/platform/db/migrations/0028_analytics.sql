CREATE TABLE "missed_searches" (
	"customer_id" uuid NOT NULL,
	"day" date NOT NULL,
	"words" text NOT NULL,
	"searches" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "missed_searches_customer_id_day_words_pk" PRIMARY KEY("customer_id","day","words")
);
--> statement-breakpoint
CREATE INDEX "cancel_requests_refunded" ON "cancel_requests" USING btree ("customer_id","refunded_at") WHERE outcome = 'REFUNDED';--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("customer_id","paid_at") WHERE paid_at is not null;--> statement-breakpoint
CREATE INDEX "subscription_charges_settled" ON "subscription_charges" USING btree ("customer_id","settled_at") WHERE status = 'PAID';--> statement-breakpoint
CREATE INDEX "subscription_events_refunded" ON "subscription_events" USING btree ("customer_id","at") WHERE type = 'REFUNDED';--> statement-breakpoint
ALTER TABLE "missed_searches" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "missed_searches" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "missed_searches" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
