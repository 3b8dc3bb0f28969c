CREATE TABLE "sandbox_deposits" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"pays" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"reversed_at" timestamp with time zone,
	CONSTRAINT "sandbox_deposits_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
ALTER TABLE "sandbox_deposits" ADD CONSTRAINT "sandbox_deposits_customer_id_payment_id_sandbox_payments_customer_id_id_fk" FOREIGN KEY ("customer_id","payment_id") REFERENCES "public"."sandbox_payments"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sandbox_deposits_payment" ON "sandbox_deposits" USING btree ("customer_id","payment_id","at");--> statement-breakpoint
CREATE INDEX "cases_order" ON "cases" USING btree ("customer_id","order_id");--> statement-breakpoint
CREATE INDEX "orders_deposits" ON "orders" USING btree ("customer_id","deposit_deadline") WHERE status = 'DEPOSIT_WAITING';--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_payments_account" ON "sandbox_payments" USING btree ("customer_id","account_number");--> statement-breakpoint
ALTER TABLE "sandbox_payments" DROP COLUMN "deposited_amount";--> statement-breakpoint
ALTER TABLE "sandbox_deposits" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "sandbox_deposits" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "sandbox_deposits" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
-- The days of the refund terms, until now a sentence, become a setting.
UPDATE "customers" SET settings = jsonb_set(settings, '{order,refundDays}', '7') WHERE NOT (settings -> 'order') ? 'refundDays';
