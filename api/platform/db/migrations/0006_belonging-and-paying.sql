CREATE TABLE "cards" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_ref" text,
	"token" text,
	"status" text DEFAULT 'READY' NOT NULL,
	"failure" text,
	"issuer" text,
	"last_four" text,
	"expiry_month" integer,
	"expiry_year" integer,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "cards_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "cards_status" CHECK ("cards"."status" in ('READY', 'ACTIVE', 'FAILED', 'REMOVED'))
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "payment_accounts" (
	"customer_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_accounts_customer_id_provider_pk" PRIMARY KEY("customer_id","provider")
);
--> statement-breakpoint
CREATE TABLE "inquiries" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"member_id" uuid NOT NULL,
	"case_id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"status" text DEFAULT 'WAIT' NOT NULL,
	"product_id" uuid,
	"order_id" uuid,
	"time_seconds" real,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "inquiries_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "inquiries_status" CHECK ("inquiries"."status" in ('WAIT', 'COMPLETE'))
);
--> statement-breakpoint
CREATE TABLE "inquiry_files" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"message_id" uuid,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"asset" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inquiry_files_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "inquiry_messages" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"inquiry_id" uuid NOT NULL,
	"author" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inquiry_messages_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "inquiry_messages_author" CHECK ("inquiry_messages"."author" in ('MEMBER', 'DESK'))
);
--> statement-breakpoint
CREATE TABLE "inquiry_types" (
	"customer_id" uuid NOT NULL,
	"code" text NOT NULL,
	"name" text,
	"sort" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "inquiry_types_customer_id_code_pk" PRIMARY KEY("customer_id","code")
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"type" text NOT NULL,
	"version" text NOT NULL,
	"granted" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "consents_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "consents_type" CHECK ("consents"."type" in ('TERMS', 'PRIVACY', 'MARKETING', 'AGE', 'RECURRING'))
);
--> statement-breakpoint
CREATE TABLE "join_verifications" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"email_lower" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"phone" text,
	"address" jsonb,
	"marketing" boolean NOT NULL,
	"terms_version" text NOT NULL,
	"privacy_version" text NOT NULL,
	"locale" text NOT NULL,
	"code_hash" text,
	"tries_left" integer NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"verified_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "join_verifications_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "password_resets_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid,
	"to" text NOT NULL,
	"locale" text NOT NULL,
	"template" text NOT NULL,
	"once" text,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"status" text DEFAULT 'QUEUED' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "mails_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "mails_status" CHECK ("mails"."status" in ('QUEUED', 'SENT', 'FAILED', 'KEPT'))
);
--> statement-breakpoint
CREATE TABLE "plan_products" (
	"customer_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "plan_products_customer_id_plan_id_product_id_pk" PRIMARY KEY("customer_id","plan_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"benefits" text[] DEFAULT '{}'::text[] NOT NULL,
	"price_amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"cycle" text NOT NULL,
	"trial_days" integer DEFAULT 0 NOT NULL,
	"scope" text NOT NULL,
	"category_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"streams" integer DEFAULT 1 NOT NULL,
	"on_sale" boolean DEFAULT true NOT NULL,
	"recommended" boolean DEFAULT false NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plans_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "plans_cycle" CHECK ("plans"."cycle" in ('MONTH', 'YEAR')),
	CONSTRAINT "plans_scope" CHECK ("plans"."scope" in ('ALL', 'CATEGORIES', 'PRODUCTS')),
	CONSTRAINT "plans_price" CHECK ("plans"."price_amount" >= 0 and "plans"."trial_days" >= 0 and "plans"."streams" >= 1)
);
--> statement-breakpoint
CREATE TABLE "subscription_charges" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"provider" text NOT NULL,
	"provider_ref" text,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"failure" text,
	"card_issuer" text,
	"card_last_four" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "subscription_charges_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "subscription_charges_kind" CHECK ("subscription_charges"."kind" in ('FIRST', 'RENEWAL', 'UPGRADE')),
	CONSTRAINT "subscription_charges_status" CHECK ("subscription_charges"."status" in ('PENDING', 'PAID', 'FAILED')),
	CONSTRAINT "subscription_charges_amounts" CHECK ("subscription_charges"."amount" >= 0 and "subscription_charges"."refunded_amount" between 0 and "subscription_charges"."amount")
);
--> statement-breakpoint
CREATE TABLE "subscription_events" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"type" text NOT NULL,
	"amount" bigint,
	"detail" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscription_events_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "subscription_quotes" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"credit_amount" bigint NOT NULL,
	"charge_amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscription_quotes_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"status" text NOT NULL,
	"price_amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"cycle" text NOT NULL,
	"card_id" uuid,
	"anchor_day" integer,
	"activated_at" timestamp with time zone,
	"trial_ends_at" timestamp with time zone,
	"period_start" timestamp with time zone,
	"period_end" timestamp with time zone,
	"cancel_at" timestamp with time zone,
	"cancel_reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"grace_until" timestamp with time zone,
	"next_plan_id" uuid,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "subscriptions_status" CHECK ("subscriptions"."status" in ('PROCEEDING', 'PENDING')),
	CONSTRAINT "subscriptions_end" CHECK ("subscriptions"."end_reason" in ('CANCELLED', 'UNPAID', 'FIRST_CHARGE_FAILED', 'REFUNDED', 'WITHDRAWN', 'REPLACED'))
);
--> statement-breakpoint
CREATE TABLE "cancel_requests" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"case_id" uuid,
	"step" text DEFAULT 'PENDING' NOT NULL,
	"outcome" text,
	"automatic" boolean DEFAULT false NOT NULL,
	"item_ids" uuid[] NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"rejection" text,
	"refund_account" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	"refunded_at" timestamp with time zone,
	CONSTRAINT "cancel_requests_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "cancel_requests_step" CHECK ("cancel_requests"."step" in ('PENDING', 'ACCEPT', 'REFUND')),
	CONSTRAINT "cancel_requests_outcome" CHECK ("cancel_requests"."outcome" in ('REFUNDED', 'REJECTED', 'TAKEN_BACK')),
	CONSTRAINT "cancel_requests_amount" CHECK ("cancel_requests"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_cards" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"reference" text NOT NULL,
	"return_url" text NOT NULL,
	"status" text DEFAULT 'READY' NOT NULL,
	"token" text,
	"scenario" text,
	"failure" text,
	"issuer" text,
	"last_four" text,
	"expiry_month" integer,
	"expiry_year" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_cards_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "sandbox_cards_status" CHECK ("sandbox_cards"."status" in ('READY', 'REGISTERED', 'FAILED', 'REMOVED'))
);
--> statement-breakpoint
CREATE TABLE "store_clock" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"ahead_milliseconds" bigint NOT NULL,
	CONSTRAINT "store_clock_only_row" CHECK ("store_clock"."only_row"),
	CONSTRAINT "store_clock_forward" CHECK ("store_clock"."ahead_milliseconds" >= 0)
);
--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "address" jsonb;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "partnership_name" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "account" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "method" text DEFAULT 'CARD' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "account_bank" text;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "account_number" text;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "account_holder" text;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "deposited_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD COLUMN "card_token" text;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_files" ADD CONSTRAINT "inquiry_files_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_files" ADD CONSTRAINT "inquiry_files_customer_id_message_id_inquiry_messages_customer_id_id_fk" FOREIGN KEY ("customer_id","message_id") REFERENCES "public"."inquiry_messages"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_messages" ADD CONSTRAINT "inquiry_messages_customer_id_inquiry_id_inquiries_customer_id_id_fk" FOREIGN KEY ("customer_id","inquiry_id") REFERENCES "public"."inquiries"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_types" ADD CONSTRAINT "inquiry_types_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_products" ADD CONSTRAINT "plan_products_customer_id_plan_id_plans_customer_id_id_fk" FOREIGN KEY ("customer_id","plan_id") REFERENCES "public"."plans"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_products" ADD CONSTRAINT "plan_products_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_charges" ADD CONSTRAINT "subscription_charges_customer_id_subscription_id_subscriptions_customer_id_id_fk" FOREIGN KEY ("customer_id","subscription_id") REFERENCES "public"."subscriptions"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_events" ADD CONSTRAINT "subscription_events_customer_id_subscription_id_subscriptions_customer_id_id_fk" FOREIGN KEY ("customer_id","subscription_id") REFERENCES "public"."subscriptions"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_quotes" ADD CONSTRAINT "subscription_quotes_customer_id_subscription_id_subscriptions_customer_id_id_fk" FOREIGN KEY ("customer_id","subscription_id") REFERENCES "public"."subscriptions"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_plan_id_plans_customer_id_id_fk" FOREIGN KEY ("customer_id","plan_id") REFERENCES "public"."plans"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_next_plan_id_plans_customer_id_id_fk" FOREIGN KEY ("customer_id","next_plan_id") REFERENCES "public"."plans"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_card_id_cards_customer_id_id_fk" FOREIGN KEY ("customer_id","card_id") REFERENCES "public"."cards"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cancel_requests" ADD CONSTRAINT "cancel_requests_customer_id_order_id_orders_customer_id_id_fk" FOREIGN KEY ("customer_id","order_id") REFERENCES "public"."orders"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cancel_requests" ADD CONSTRAINT "cancel_requests_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cards_member" ON "cards" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "cards_one_default" ON "cards" USING btree ("customer_id","member_id") WHERE is_default;--> statement-breakpoint
CREATE INDEX "audit_latest" ON "audit" USING btree ("customer_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit" USING btree ("customer_id","subject","at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "inquiries_code" ON "inquiries" USING btree ("customer_id","code");--> statement-breakpoint
CREATE INDEX "inquiries_member" ON "inquiries" USING btree ("customer_id","member_id","updated_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "inquiries_waiting" ON "inquiries" USING btree ("customer_id","status","updated_at");--> statement-breakpoint
CREATE INDEX "inquiry_files_message" ON "inquiry_files" USING btree ("customer_id","message_id");--> statement-breakpoint
CREATE INDEX "inquiry_messages_inquiry" ON "inquiry_messages" USING btree ("customer_id","inquiry_id","created_at");--> statement-breakpoint
CREATE INDEX "consents_member" ON "consents" USING btree ("customer_id","member_id","type","at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "join_verifications_token" ON "join_verifications" USING btree ("customer_id","token_hash");--> statement-breakpoint
CREATE INDEX "join_verifications_expired" ON "join_verifications" USING btree ("customer_id","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_key" ON "password_resets" USING btree ("customer_id","key_hash");--> statement-breakpoint
CREATE INDEX "password_resets_member" ON "password_resets" USING btree ("customer_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mails_once" ON "mails" USING btree ("customer_id","once");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("customer_id","due_at") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE INDEX "mails_latest" ON "mails" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "plans_code" ON "plans" USING btree ("customer_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_charges_try" ON "subscription_charges" USING btree ("customer_id","subscription_id","kind","period_start","attempt");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_charges_paid_once" ON "subscription_charges" USING btree ("customer_id","subscription_id","kind","period_start") WHERE status = 'PAID' and kind <> 'UPGRADE';--> statement-breakpoint
CREATE INDEX "subscription_charges_member" ON "subscription_charges" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "subscription_charges_open" ON "subscription_charges" USING btree ("customer_id","created_at") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "subscription_events_member" ON "subscription_events" USING btree ("customer_id","member_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_one_standing" ON "subscriptions" USING btree ("customer_id","member_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "subscriptions_member" ON "subscriptions" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("customer_id","period_end") WHERE ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "cancel_requests_one_open" ON "cancel_requests" USING btree ("customer_id","order_id") WHERE outcome is null;--> statement-breakpoint
CREATE INDEX "cancel_requests_order" ON "cancel_requests" USING btree ("customer_id","order_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "cancel_requests_due" ON "cancel_requests" USING btree ("customer_id","next_attempt_at") WHERE outcome is null and step = 'ACCEPT';--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_cards_reference" ON "sandbox_cards" USING btree ("customer_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_cards_token" ON "sandbox_cards" USING btree ("customer_id","token");--> statement-breakpoint
-- Every new table that carries a tenant refuses the rows of all others, to whoever asks, the owner included.
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['audit', 'cancel_requests', 'cards', 'consents', 'inquiries', 'inquiry_files', 'inquiry_messages', 'inquiry_types',
    'join_verifications', 'mails', 'password_resets', 'payment_accounts', 'plan_products', 'plans', 'sandbox_cards', 'subscription_charges',
    'subscription_events', 'subscription_quotes', 'subscriptions'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY tenant ON %I USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer())', target);
  END LOOP;
END $$;
--> statement-breakpoint
-- Evidence is appended, never changed.
REVOKE UPDATE, DELETE ON audit, consents, subscription_events FROM marquee_app;
--> statement-breakpoint
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['plans', 'plan_products', 'inquiry_types'] LOOP
    EXECUTE format('CREATE TRIGGER moves_version AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version()', target);
  END LOOP;
END $$;
