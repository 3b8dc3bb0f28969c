CREATE TABLE "attempts" (
	"customer_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"taken" bigint[] NOT NULL,
	"forget_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attempts_customer_id_name_key_hash_pk" PRIMARY KEY("customer_id","name","key_hash")
);
--> statement-breakpoint
CREATE TABLE "cases" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'WAIT' NOT NULL,
	"member_id" uuid,
	"order_id" uuid,
	"subject" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "cases_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "cases_type" CHECK ("cases"."type" in ('INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM')),
	CONSTRAINT "cases_status" CHECK ("cases"."status" in ('WAIT', 'COMPLETE'))
);
--> statement-breakpoint
CREATE TABLE "members" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"email_lower" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"phone" text,
	"address" jsonb,
	"locale" text,
	"marketing" boolean DEFAULT false NOT NULL,
	"partnership_until" timestamp with time zone,
	"partnership_name" text,
	"withdrawn_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"device" text NOT NULL,
	"address" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
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
	"replaces_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	"ask_at" timestamp with time zone,
	CONSTRAINT "cards_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "cards_status" CHECK ("cards"."status" in ('READY', 'ACTIVE', 'FAILED', 'REMOVED'))
);
--> statement-breakpoint
CREATE TABLE "attachments" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"asset" text NOT NULL,
	"confirmation_text" text,
	"sort" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "attachments_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"parent_id" uuid,
	"level" integer NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "categories_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "lessons" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"sort" integer NOT NULL,
	"title" text NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"video_id" uuid,
	"free" boolean DEFAULT false NOT NULL,
	CONSTRAINT "lessons_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_options" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"days" integer,
	"start_within_days" integer,
	"price_amount" bigint NOT NULL,
	"list_price_amount" bigint,
	"currency" text NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"on_sale" boolean DEFAULT true NOT NULL,
	CONSTRAINT "product_options_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "product_options_type" CHECK ("product_options"."type" in ('OWN', 'RENT')),
	CONSTRAINT "product_options_rent" CHECK (("product_options"."type" = 'RENT') = ("product_options"."days" is not null)),
	CONSTRAINT "product_options_price" CHECK ("product_options"."price_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "products" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"kind" text NOT NULL,
	"access" text NOT NULL,
	"status" text DEFAULT 'ON_SALE' NOT NULL,
	"title" text NOT NULL,
	"summary" text NOT NULL,
	"description" text NOT NULL,
	"poster" jsonb NOT NULL,
	"poster_tall" jsonb,
	"gallery" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"video_id" uuid,
	"duration_seconds" integer,
	"lesson_count" integer DEFAULT 0 NOT NULL,
	"age_rating" text DEFAULT 'ALL' NOT NULL,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"category_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"price_amount" bigint,
	"list_price_amount" bigint,
	"price_type" text,
	"currency" text NOT NULL,
	"option_count" integer DEFAULT 0 NOT NULL,
	"sale_from" timestamp with time zone,
	"sale_to" timestamp with time zone,
	"sort" bigint DEFAULT 0 NOT NULL,
	"count_of_views" bigint DEFAULT 0 NOT NULL,
	"count_of_plays" bigint DEFAULT 0 NOT NULL,
	"count_of_likes" bigint DEFAULT 0 NOT NULL,
	"count_of_comments" bigint DEFAULT 0 NOT NULL,
	"seo_title" text,
	"seo_description" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "products_kind" CHECK ("products"."kind" in ('PAY', 'FREE', 'VOD')),
	CONSTRAINT "products_access" CHECK ("products"."access" in ('FREE', 'MEMBER', 'PURCHASE', 'PLAN', 'PURCHASE_OR_PLAN')),
	CONSTRAINT "products_status" CHECK ("products"."status" in ('DRAFT', 'ON_SALE', 'HIDDEN', 'ENDED'))
);
--> statement-breakpoint
CREATE TABLE "videos" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"asset" text NOT NULL,
	"duration_seconds" real NOT NULL,
	"preview_asset" text,
	"preview_seconds" integer,
	"captions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"chapters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"width" integer,
	"height" integer,
	"audio" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"storyboard" text,
	"poster_candidates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" bigint,
	"drm" jsonb,
	"retired_at" timestamp with time zone,
	"retired_from" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "videos_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "cart_items" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"cart_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"option_id" uuid NOT NULL,
	"quantity" integer DEFAULT 1 NOT NULL,
	"price_amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cart_items_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "carts" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid,
	"guest_id" text,
	"version" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "carts_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "carts_owner" CHECK (("carts"."member_id" is null) <> ("carts"."guest_id" is null))
);
--> statement-breakpoint
CREATE TABLE "entitlements" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"source" text NOT NULL,
	"order_item_id" uuid,
	"rental_days" integer,
	"start_by" timestamp with time zone,
	"started_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"suspended" boolean DEFAULT false NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "entitlements_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "entitlements_source" CHECK ("entitlements"."source" in ('OWN', 'RENT', 'PLAN', 'GRANT'))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"customer_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"key" text NOT NULL,
	"call" text NOT NULL,
	"body_hash" text NOT NULL,
	"status" integer,
	"answer" jsonb,
	"locked_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_customer_id_member_id_key_pk" PRIMARY KEY("customer_id","member_id","key")
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"type" text NOT NULL,
	"amount" bigint,
	"detail" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_events_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "order_items" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"option_id" uuid NOT NULL,
	"product_title" text NOT NULL,
	"option_name" text NOT NULL,
	"option_type" text NOT NULL,
	"days" integer,
	"start_within_days" integer,
	"price_amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"opened_at" timestamp with time zone,
	"refunded_at" timestamp with time zone,
	"sort" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "order_items_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"member_id" uuid NOT NULL,
	"status" text,
	"method" text,
	"total_amount" bigint NOT NULL,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"refund_policy_version" text NOT NULL,
	"refund_step" text,
	"refund_reason" text,
	"cart_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"deposit_deadline" timestamp with time zone,
	CONSTRAINT "orders_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "orders_status" CHECK ("orders"."status" in ('PAYMENT_COMPLETE', 'PAYMENT_FAIL', 'DEPOSIT_WAITING', 'CANCEL_REQUEST', 'CANCEL_COMPLETE')),
	CONSTRAINT "orders_method" CHECK ("orders"."method" in ('CARD', 'BANK')),
	CONSTRAINT "orders_refund_step" CHECK ("orders"."refund_step" in ('PENDING', 'ACCEPT', 'REFUND')),
	CONSTRAINT "orders_amounts" CHECK ("orders"."total_amount" >= 0 and "orders"."refunded_amount" between 0 and "orders"."total_amount")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_ref" text,
	"method" text NOT NULL,
	"status" text DEFAULT 'READY' NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"failure" text,
	"card_issuer" text,
	"card_last_four" text,
	"account" jsonb,
	"due_at" timestamp with time zone,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"ask_at" timestamp with time zone,
	CONSTRAINT "payments_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('READY', 'PROCESSING', 'PAID', 'FAILED', 'CANCELLED'))
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"customer_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"outcome" text,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_events_customer_id_provider_event_id_pk" PRIMARY KEY("customer_id","provider","event_id")
);
--> statement-breakpoint
CREATE TABLE "banners" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"label" text,
	"wide" jsonb,
	"narrow" jsonb,
	"tone" text DEFAULT 'LIGHT' NOT NULL,
	"link" jsonb,
	"html" text,
	"show_from" timestamp with time zone,
	"show_to" timestamp with time zone,
	"sort" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "banners_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "banners_type" CHECK ("banners"."type" in ('HEADER_BANNER', 'MAIN_SLIDER_BANNER', 'BANNER', 'CUSTOM', 'GRID', 'NONE'))
);
--> statement-breakpoint
CREATE TABLE "faq" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"group" text NOT NULL,
	"question" text NOT NULL,
	"answer" text NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "faq_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"attachments" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"show_from" timestamp with time zone,
	"show_to" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notices_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "pages" (
	"customer_id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pages_customer_id_type_pk" PRIMARY KEY("customer_id","type")
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
CREATE TABLE "comment_reports" (
	"customer_id" uuid NOT NULL,
	"comment_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "comment_reports_customer_id_comment_id_member_id_pk" PRIMARY KEY("customer_id","comment_id","member_id")
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"parent_id" uuid,
	"body" text NOT NULL,
	"state" text DEFAULT 'SHOWN' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	CONSTRAINT "comments_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "comments_state" CHECK ("comments"."state" in ('SHOWN', 'HELD', 'DELETED'))
);
--> statement-breakpoint
CREATE TABLE "likes" (
	"customer_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "likes_customer_id_member_id_product_id_pk" PRIMARY KEY("customer_id","member_id","product_id")
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
CREATE TABLE "operator_tokens" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_tokens_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "past_trials" (
	"customer_id" uuid NOT NULL,
	"email_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "past_trials_customer_id_email_hash_pk" PRIMARY KEY("customer_id","email_hash")
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
	"ask_at" timestamp with time zone,
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
	"price_amount" bigint NOT NULL,
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
	"next_price_amount" bigint,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "subscriptions_status" CHECK ("subscriptions"."status" in ('PROCEEDING', 'PENDING')),
	CONSTRAINT "subscriptions_end" CHECK ("subscriptions"."end_reason" in ('CANCELLED', 'UNPAID', 'FIRST_CHARGE_FAILED', 'REFUNDED', 'WITHDRAWN', 'REPLACED'))
);
--> statement-breakpoint
CREATE TABLE "play_leaks" (
	"customer_id" uuid NOT NULL,
	"play_id" uuid NOT NULL,
	"address" text NOT NULL,
	"member_id" uuid NOT NULL,
	"product_id" uuid,
	"asset" text NOT NULL,
	"asks" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "play_leaks_customer_id_play_id_address_pk" PRIMARY KEY("customer_id","play_id","address")
);
--> statement-breakpoint
CREATE TABLE "plays" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"part" text NOT NULL,
	"device" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "plays_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"customer_id" uuid NOT NULL,
	"viewer" text NOT NULL,
	"product_id" uuid NOT NULL,
	"part" text NOT NULL,
	"position_seconds" real NOT NULL,
	"duration_seconds" real NOT NULL,
	"played_seconds" real DEFAULT 0 NOT NULL,
	"finished" boolean DEFAULT false NOT NULL,
	"counted" boolean DEFAULT false NOT NULL,
	"counted_on" date,
	"reached" integer,
	"at" timestamp with time zone NOT NULL,
	"played_until" timestamp with time zone,
	"dismissed_at" timestamp with time zone,
	CONSTRAINT "positions_customer_id_viewer_product_id_part_pk" PRIMARY KEY("customer_id","viewer","product_id","part")
);
--> statement-breakpoint
CREATE TABLE "product_events" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"type" text NOT NULL,
	"part" text DEFAULT 'main' NOT NULL,
	"seconds" real DEFAULT 0 NOT NULL,
	"reached" integer DEFAULT 0 NOT NULL,
	"day" date,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_events_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_figures" (
	"customer_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"part" text NOT NULL,
	"day" date NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL,
	"finishes" integer DEFAULT 0 NOT NULL,
	"played_seconds" double precision DEFAULT 0 NOT NULL,
	"reached_plays" integer DEFAULT 0 NOT NULL,
	"reached" integer[],
	CONSTRAINT "product_figures_customer_id_product_id_part_day_pk" PRIMARY KEY("customer_id","product_id","part","day")
);
--> statement-breakpoint
CREATE TABLE "viewed_products" (
	"customer_id" uuid NOT NULL,
	"viewer" text NOT NULL,
	"product_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "viewed_products_customer_id_viewer_product_id_pk" PRIMARY KEY("customer_id","viewer","product_id")
);
--> statement-breakpoint
CREATE TABLE "provisions" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"entitlement_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"accepted" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "provisions_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "provisions_kind" CHECK ("provisions"."kind" in ('PLAY', 'DOWNLOAD'))
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
CREATE TABLE "sandbox_deliveries" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_deliveries_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
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
CREATE TABLE "sandbox_payments" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"order_name" text NOT NULL,
	"return_url" text NOT NULL,
	"method" text DEFAULT 'CARD' NOT NULL,
	"status" text DEFAULT 'READY' NOT NULL,
	"account_bank" text,
	"account_number" text,
	"account_holder" text,
	"due_at" timestamp with time zone,
	"card_token" text,
	"scenario" text,
	"failure" text,
	"card_issuer" text,
	"card_last_four" text,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"charged_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_payments_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "caption_passages" (
	"customer_id" uuid NOT NULL,
	"video_id" uuid NOT NULL,
	"language" text NOT NULL,
	"place" integer NOT NULL,
	"cues" jsonb NOT NULL,
	"shared" integer NOT NULL,
	"folded" text NOT NULL,
	"tokens" "tsvector" NOT NULL,
	CONSTRAINT "caption_passages_customer_id_video_id_language_place_pk" PRIMARY KEY("customer_id","video_id","language","place")
);
--> statement-breakpoint
CREATE TABLE "product_search" (
	"customer_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"tokens" "tsvector" NOT NULL,
	"ordinal" integer NOT NULL,
	CONSTRAINT "product_search_customer_id_product_id_pk" PRIMARY KEY("customer_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"customer_id" uuid NOT NULL,
	"word" text NOT NULL,
	CONSTRAINT "search_words_customer_id_word_pk" PRIMARY KEY("customer_id","word")
);
--> statement-breakpoint
CREATE TABLE "customer_domains" (
	"customer_id" uuid NOT NULL,
	"host" text NOT NULL,
	CONSTRAINT "customer_domains_customer_id_host_pk" PRIMARY KEY("customer_id","host")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"use_customer" boolean DEFAULT true NOT NULL,
	"use_site" boolean DEFAULT true NOT NULL,
	"settings" jsonb NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_clock" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"ahead_milliseconds" bigint NOT NULL,
	CONSTRAINT "store_clock_only_row" CHECK ("store_clock"."only_row"),
	CONSTRAINT "store_clock_forward" CHECK ("store_clock"."ahead_milliseconds" >= 0)
);
--> statement-breakpoint
CREATE TABLE "video_jobs" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"lesson_id" uuid,
	"video_id" uuid NOT NULL,
	"status" text DEFAULT 'QUEUED' NOT NULL,
	"step" text,
	"percent" real DEFAULT 0 NOT NULL,
	"seconds_left" integer,
	"source_key" text NOT NULL,
	"source_name" text NOT NULL,
	"source_bytes" bigint NOT NULL,
	"wish" jsonb NOT NULL,
	"failure" text,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "video_jobs_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "video_jobs_status" CHECK ("video_jobs"."status" in ('QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED'))
);
--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_customer_id_parent_id_categories_customer_id_id_fk" FOREIGN KEY ("customer_id","parent_id") REFERENCES "public"."categories"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_customer_id_video_id_videos_customer_id_id_fk" FOREIGN KEY ("customer_id","video_id") REFERENCES "public"."videos"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_options" ADD CONSTRAINT "product_options_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_customer_id_video_id_videos_customer_id_id_fk" FOREIGN KEY ("customer_id","video_id") REFERENCES "public"."videos"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_customer_id_cart_id_carts_customer_id_id_fk" FOREIGN KEY ("customer_id","cart_id") REFERENCES "public"."carts"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_customer_id_option_id_product_options_customer_id_id_fk" FOREIGN KEY ("customer_id","option_id") REFERENCES "public"."product_options"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_customer_id_order_id_orders_customer_id_id_fk" FOREIGN KEY ("customer_id","order_id") REFERENCES "public"."orders"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_customer_id_order_id_orders_customer_id_id_fk" FOREIGN KEY ("customer_id","order_id") REFERENCES "public"."orders"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_customer_id_order_id_orders_customer_id_id_fk" FOREIGN KEY ("customer_id","order_id") REFERENCES "public"."orders"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "banners" ADD CONSTRAINT "banners_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "faq" ADD CONSTRAINT "faq_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pages" ADD CONSTRAINT "pages_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "likes" ADD CONSTRAINT "likes_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "likes" ADD CONSTRAINT "likes_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "plays" ADD CONSTRAINT "plays_customer_id_session_id_sessions_customer_id_id_fk" FOREIGN KEY ("customer_id","session_id") REFERENCES "public"."sessions"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "positions" ADD CONSTRAINT "positions_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_figures" ADD CONSTRAINT "product_figures_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "viewed_products" ADD CONSTRAINT "viewed_products_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisions" ADD CONSTRAINT "provisions_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisions" ADD CONSTRAINT "provisions_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisions" ADD CONSTRAINT "provisions_customer_id_entitlement_id_entitlements_customer_id_id_fk" FOREIGN KEY ("customer_id","entitlement_id") REFERENCES "public"."entitlements"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cancel_requests" ADD CONSTRAINT "cancel_requests_customer_id_order_id_orders_customer_id_id_fk" FOREIGN KEY ("customer_id","order_id") REFERENCES "public"."orders"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cancel_requests" ADD CONSTRAINT "cancel_requests_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_deposits" ADD CONSTRAINT "sandbox_deposits_customer_id_payment_id_sandbox_payments_customer_id_id_fk" FOREIGN KEY ("customer_id","payment_id") REFERENCES "public"."sandbox_payments"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "caption_passages" ADD CONSTRAINT "caption_passages_customer_id_video_id_videos_customer_id_id_fk" FOREIGN KEY ("customer_id","video_id") REFERENCES "public"."videos"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_search" ADD CONSTRAINT "product_search_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_words" ADD CONSTRAINT "search_words_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_domains" ADD CONSTRAINT "customer_domains_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_jobs" ADD CONSTRAINT "video_jobs_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_past" ON "attempts" USING btree ("customer_id","forget_at");--> statement-breakpoint
CREATE INDEX "cases_open" ON "cases" USING btree ("customer_id","status","created_at");--> statement-breakpoint
CREATE INDEX "cases_order" ON "cases" USING btree ("customer_id","order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "members_email" ON "members" USING btree ("customer_id","email_lower");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" USING btree ("customer_id","token_hash");--> statement-breakpoint
CREATE INDEX "sessions_member" ON "sessions" USING btree ("customer_id","member_id");--> statement-breakpoint
CREATE INDEX "cards_to_ask" ON "cards" USING btree ("customer_id","ask_at") WHERE ask_at is not null;--> statement-breakpoint
CREATE INDEX "cards_member" ON "cards" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "cards_one_default" ON "cards" USING btree ("customer_id","member_id") WHERE is_default;--> statement-breakpoint
CREATE INDEX "attachments_product" ON "attachments" USING btree ("customer_id","product_id","sort");--> statement-breakpoint
CREATE UNIQUE INDEX "categories_slug" ON "categories" USING btree ("customer_id","slug");--> statement-breakpoint
CREATE INDEX "lessons_product" ON "lessons" USING btree ("customer_id","product_id","sort");--> statement-breakpoint
CREATE INDEX "lessons_video" ON "lessons" USING btree ("customer_id","video_id");--> statement-breakpoint
CREATE INDEX "product_options_product" ON "product_options" USING btree ("customer_id","product_id","sort");--> statement-breakpoint
CREATE UNIQUE INDEX "products_code" ON "products" USING btree ("customer_id","code");--> statement-breakpoint
CREATE INDEX "products_by_sort" ON "products" USING btree ("customer_id","status","sort" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "products_by_created" ON "products" USING btree ("customer_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "products_by_views" ON "products" USING btree ("customer_id","status","count_of_views","id");--> statement-breakpoint
CREATE INDEX "products_by_plays" ON "products" USING btree ("customer_id","status","count_of_plays","id");--> statement-breakpoint
CREATE INDEX "products_by_duration" ON "products" USING btree ("customer_id","status","duration_seconds","id");--> statement-breakpoint
CREATE INDEX "products_video" ON "products" USING btree ("customer_id","video_id");--> statement-breakpoint
CREATE INDEX "videos_retired" ON "videos" USING btree ("customer_id","retired_at") WHERE retired_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "cart_items_product" ON "cart_items" USING btree ("customer_id","cart_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "carts_member" ON "carts" USING btree ("customer_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "carts_guest" ON "carts" USING btree ("customer_id","guest_id");--> statement-breakpoint
CREATE INDEX "entitlements_right" ON "entitlements" USING btree ("customer_id","member_id","product_id");--> statement-breakpoint
CREATE INDEX "entitlements_latest" ON "entitlements" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_once" ON "entitlements" USING btree ("customer_id","order_item_id");--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("customer_id","order_id","at");--> statement-breakpoint
CREATE INDEX "order_items_order" ON "order_items" USING btree ("customer_id","order_id","sort");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_code" ON "orders" USING btree ("customer_id","code");--> statement-breakpoint
CREATE INDEX "orders_member" ON "orders" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_drafts" ON "orders" USING btree ("customer_id","expires_at") WHERE status is null;--> statement-breakpoint
CREATE INDEX "orders_deposits" ON "orders" USING btree ("customer_id","deposit_deadline") WHERE status = 'DEPOSIT_WAITING';--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("customer_id","order_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_provider_ref" ON "payments" USING btree ("customer_id","provider","provider_ref");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_paid_once" ON "payments" USING btree ("customer_id","order_id") WHERE status = 'PAID';--> statement-breakpoint
CREATE INDEX "payments_open" ON "payments" USING btree ("customer_id","status","created_at") WHERE status in ('READY', 'PROCESSING');--> statement-breakpoint
CREATE INDEX "notices_latest" ON "notices" USING btree ("customer_id","pinned" DESC NULLS LAST,"created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_latest" ON "audit" USING btree ("customer_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit" USING btree ("customer_id","subject","at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "payment_accounts_active" ON "payment_accounts" USING btree ("customer_id") WHERE active;--> statement-breakpoint
CREATE INDEX "comments_product" ON "comments" USING btree ("customer_id","product_id","parent_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "comments_parent" ON "comments" USING btree ("customer_id","parent_id","created_at");--> statement-breakpoint
CREATE INDEX "likes_latest" ON "likes" USING btree ("customer_id","member_id","created_at");--> statement-breakpoint
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
CREATE UNIQUE INDEX "operator_tokens_hash" ON "operator_tokens" USING btree ("customer_id","token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_code" ON "plans" USING btree ("customer_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_charges_try" ON "subscription_charges" USING btree ("customer_id","subscription_id","kind","period_start","attempt");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_charges_paid_once" ON "subscription_charges" USING btree ("customer_id","subscription_id","kind","period_start") WHERE status = 'PAID' and kind <> 'UPGRADE';--> statement-breakpoint
CREATE INDEX "subscription_charges_member" ON "subscription_charges" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "subscription_charges_open" ON "subscription_charges" USING btree ("customer_id","created_at") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "subscription_events_member" ON "subscription_events" USING btree ("customer_id","member_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_one_standing" ON "subscriptions" USING btree ("customer_id","member_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "subscriptions_member" ON "subscriptions" USING btree ("customer_id","member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("customer_id","period_end") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "play_leaks_latest" ON "play_leaks" USING btree ("customer_id","last_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plays_live" ON "plays" USING btree ("customer_id","member_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "plays_session" ON "plays" USING btree ("customer_id","session_id","seen_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plays_seen" ON "plays" USING btree ("customer_id","seen_at");--> statement-breakpoint
CREATE INDEX "positions_latest" ON "positions" USING btree ("customer_id","viewer","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "product_figures_day" ON "product_figures" USING btree ("customer_id","day");--> statement-breakpoint
CREATE INDEX "viewed_products_latest" ON "viewed_products" USING btree ("customer_id","viewer","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "provisions_product" ON "provisions" USING btree ("customer_id","member_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "cancel_requests_one_open" ON "cancel_requests" USING btree ("customer_id","order_id") WHERE outcome is null;--> statement-breakpoint
CREATE INDEX "cancel_requests_order" ON "cancel_requests" USING btree ("customer_id","order_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "cancel_requests_due" ON "cancel_requests" USING btree ("customer_id","next_attempt_at") WHERE outcome is null and step = 'ACCEPT';--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_cards_reference" ON "sandbox_cards" USING btree ("customer_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_cards_token" ON "sandbox_cards" USING btree ("customer_id","token");--> statement-breakpoint
CREATE INDEX "sandbox_deliveries_due" ON "sandbox_deliveries" USING btree ("customer_id","due_at") WHERE delivered_at is null;--> statement-breakpoint
CREATE INDEX "sandbox_deposits_payment" ON "sandbox_deposits" USING btree ("customer_id","payment_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_payments_reference" ON "sandbox_payments" USING btree ("customer_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_payments_account" ON "sandbox_payments" USING btree ("customer_id","account_number");--> statement-breakpoint
CREATE INDEX "caption_passages_tokens" ON "caption_passages" USING gin ("tokens") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "product_search_tokens" ON "product_search" USING gin ("tokens");--> statement-breakpoint
CREATE UNIQUE INDEX "product_search_ordinal" ON "product_search" USING btree ("customer_id","ordinal");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_domains_host" ON "customer_domains" USING btree ("host");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_code" ON "customers" USING btree ("code");--> statement-breakpoint
CREATE INDEX "video_jobs_open" ON "video_jobs" USING btree ("customer_id","created_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "video_jobs_latest" ON "video_jobs" USING btree ("customer_id","created_at" DESC NULLS LAST);
--> statement-breakpoint
-- The tenant of the running transaction; null outside of one, which matches no row.
CREATE FUNCTION current_customer() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('marquee.customer_id', true), '')::uuid $$;
--> statement-breakpoint
-- A tenant's version moves with everything that all its visitors see: caches compare it with their own.
CREATE FUNCTION move_tenant_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  BEGIN
    UPDATE public.customers SET version = version + 1 WHERE customer_id = public.current_customer();
    RETURN NULL;
  END $$;
--> statement-breakpoint
-- The same for a change of the tenant itself.
CREATE FUNCTION move_own_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    IF (NEW.settings, NEW.use_customer, NEW.use_site, NEW.code) IS DISTINCT FROM (OLD.settings, OLD.use_customer, OLD.use_site, OLD.code) THEN
      NEW.version := greatest(NEW.version, OLD.version + 1);
    END IF;
    RETURN NEW;
  END $$;
--> statement-breakpoint
-- A member who has left gets no new rows, whatever was under way.
CREATE FUNCTION refuse_member_gone() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public'
    AS $$
  BEGIN
    -- A row of another tenant is for the policy to refuse.
    IF NEW.member_id IS NULL OR NEW.customer_id IS DISTINCT FROM public.current_customer() THEN RETURN NEW; END IF;
    PERFORM FROM public.members WHERE customer_id = NEW.customer_id AND id = NEW.member_id AND withdrawn_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'The member has left' USING ERRCODE = 'MQ401'; END IF;
    RETURN NEW;
  END $$;
--> statement-breakpoint
-- Products that match a query, as numbers of the product index. The owner runs it: the planner cannot use the index through the policies.
CREATE FUNCTION matching_products(tenant uuid, query text, most integer) RETURNS TABLE(ordinals text, ranks text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
    SELECT string_agg(found.ordinal::text, ','), string_agg(found.rank::text, ',')
      FROM (
        SELECT s.ordinal, (ts_rank(s.tokens, query::tsquery) * 1000000)::int AS rank
          FROM public.product_search s
         WHERE s.customer_id = tenant AND tenant = public.current_customer() AND s.tokens @@ query::tsquery
         LIMIT most
      ) found
  $$;
--> statement-breakpoint
-- Passages of captions that match a query, the same way.
CREATE FUNCTION matching_passages(tenant uuid, query text, phrase text, sought integer, most integer) RETURNS TABLE(video_id uuid, language text, shared integer, cues jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    AS $$
    WITH candidates AS MATERIALIZED (
      SELECT p.customer_id, p.video_id, p.language, p.place, p.shared, p.cues, strpos(p.folded, phrase) > 0 AS whole
        FROM public.caption_passages p
       WHERE p.tokens @@ query::tsquery AND tenant = public.current_customer()
       LIMIT sought
    )
    SELECT c.video_id, c.language, c.shared, c.cues
      FROM candidates c
     WHERE c.customer_id = tenant
     ORDER BY c.whole DESC, row_number() OVER (PARTITION BY c.video_id ORDER BY c.whole DESC, c.place), c.video_id, c.language
     LIMIT most
  $$;
--> statement-breakpoint
DO $$
DECLARE target text;
BEGIN
  FOREACH target IN ARRAY ARRAY[
    'attachments', 'banners', 'caption_passages', 'categories', 'faq', 'inquiry_types', 'lessons',
    'notices', 'pages', 'payment_accounts', 'plan_products', 'plans', 'product_options',
    'product_search', 'videos'
  ] LOOP
    EXECUTE format(
      'CREATE TRIGGER moves_version AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version()',
      target
    );
  END LOOP;
  FOREACH target IN ARRAY ARRAY[
    'cards', 'carts', 'comment_reports', 'comments', 'inquiries', 'inquiry_files', 'likes',
    'orders', 'subscriptions'
  ] LOOP
    EXECUTE format('CREATE TRIGGER member_gone BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION refuse_member_gone()', target);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE TRIGGER changes_version AFTER UPDATE OF
  code, kind, access, status, title, summary, description, poster, poster_tall, gallery,
  video_id, duration_seconds, lesson_count, age_rating, tags, category_ids,
  price_amount, list_price_amount, price_type, currency, option_count, sale_from, sale_to, sort, seo_title, seo_description,
  created_at
ON products FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version();
--> statement-breakpoint
CREATE TRIGGER moves_version BEFORE UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION move_own_version();
--> statement-breakpoint
CREATE TRIGGER moves_version AFTER INSERT OR DELETE ON products FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version();
--> statement-breakpoint
-- Every table that carries a tenant refuses the rows of all others, to whoever asks, the owner included. The owner alone reads
-- the two search tables past the policies, inside of the functions above.
DO $$
DECLARE target text;
BEGIN
  FOR target IN
    SELECT c.table_name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND c.column_name = 'customer_id' AND t.table_type = 'BASE TABLE'
      AND c.table_name NOT IN ('customers', 'customer_domains')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    IF target NOT IN ('caption_passages', 'product_search') THEN
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    END IF;
    EXECUTE format(
      'CREATE POLICY tenant ON %I USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer())',
      target
    );
  END LOOP;
END $$;
--> statement-breakpoint
-- The tenants themselves may be read before a tenant is known (a host has to be resolved), and written only as oneself.
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY readable ON customers FOR SELECT USING (true);
--> statement-breakpoint
CREATE POLICY own ON customers FOR UPDATE USING (customer_id = current_customer());
--> statement-breakpoint
ALTER TABLE customer_domains ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY readable ON customer_domains FOR SELECT USING (true);
--> statement-breakpoint
-- The role the API connects as. It owns nothing; its password is set by whoever migrates.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'marquee_app') THEN
    CREATE ROLE marquee_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO marquee_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO marquee_app;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON customers, customer_domains FROM marquee_app;
--> statement-breakpoint
GRANT UPDATE (version) ON customers TO marquee_app;
--> statement-breakpoint
-- Records that are written once.
REVOKE UPDATE, DELETE ON audit, consents, provisions, subscription_events FROM marquee_app;
--> statement-breakpoint
REVOKE ALL ON FUNCTION matching_products(uuid, text, integer), matching_passages(uuid, text, text, integer, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION matching_products(uuid, text, integer), matching_passages(uuid, text, text, integer, integer) TO marquee_app;
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO marquee_app;
