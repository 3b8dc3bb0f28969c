CREATE TABLE "attempts" (
	"customer_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"taken" bigint[] NOT NULL,
	"forget_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attempts_customer_id_name_key_hash_pk" PRIMARY KEY("customer_id","name","key_hash")
);
--> statement-breakpoint
CREATE TABLE "past_trials" (
	"customer_id" uuid NOT NULL,
	"email_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "past_trials_customer_id_email_hash_pk" PRIMARY KEY("customer_id","email_hash")
);
--> statement-breakpoint
ALTER TABLE "cards" ADD COLUMN "ask_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "ask_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscription_charges" ADD COLUMN "ask_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "attempts_past" ON "attempts" USING btree ("customer_id","forget_at");--> statement-breakpoint
CREATE INDEX "cards_to_ask" ON "cards" USING btree ("customer_id","ask_at") WHERE ask_at is not null;--> statement-breakpoint
-- Every new table that carries a tenant refuses the rows of all others, to whoever asks, the owner included.
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['attempts', 'past_trials'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY tenant ON %I USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer())', target);
  END LOOP;
END $$;
