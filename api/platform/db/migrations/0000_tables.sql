CREATE TABLE "cases" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'WAIT' NOT NULL,
	"member_id" uuid,
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
	"locale" text,
	"marketing" boolean DEFAULT false NOT NULL,
	"partnership_until" timestamp with time zone,
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
	"video_id" uuid NOT NULL,
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
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
CREATE TABLE "sandbox_payments" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"order_name" text NOT NULL,
	"return_url" text NOT NULL,
	"status" text DEFAULT 'READY' NOT NULL,
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
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "positions_customer_id_viewer_product_id_part_pk" PRIMARY KEY("customer_id","viewer","product_id","part")
);
--> statement-breakpoint
CREATE TABLE "product_events" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_events_customer_id_id_pk" PRIMARY KEY("customer_id","id")
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
CREATE TABLE "product_search" (
	"customer_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"tokens" "tsvector" NOT NULL,
	"plain" text NOT NULL,
	CONSTRAINT "product_search_customer_id_product_id_pk" PRIMARY KEY("customer_id","product_id")
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
ALTER TABLE "members" ADD CONSTRAINT "members_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "positions" ADD CONSTRAINT "positions_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "viewed_products" ADD CONSTRAINT "viewed_products_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_search" ADD CONSTRAINT "product_search_customer_id_product_id_products_customer_id_id_fk" FOREIGN KEY ("customer_id","product_id") REFERENCES "public"."products"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_domains" ADD CONSTRAINT "customer_domains_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cases_open" ON "cases" USING btree ("customer_id","status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "members_email" ON "members" USING btree ("customer_id","email_lower");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" USING btree ("customer_id","token_hash");--> statement-breakpoint
CREATE INDEX "sessions_member" ON "sessions" USING btree ("customer_id","member_id");--> statement-breakpoint
CREATE INDEX "attachments_product" ON "attachments" USING btree ("customer_id","product_id","sort");--> statement-breakpoint
CREATE UNIQUE INDEX "categories_slug" ON "categories" USING btree ("customer_id","slug");--> statement-breakpoint
CREATE INDEX "lessons_product" ON "lessons" USING btree ("customer_id","product_id","sort");--> statement-breakpoint
CREATE INDEX "product_options_product" ON "product_options" USING btree ("customer_id","product_id","sort");--> statement-breakpoint
CREATE UNIQUE INDEX "products_code" ON "products" USING btree ("customer_id","code");--> statement-breakpoint
CREATE INDEX "products_by_sort" ON "products" USING btree ("customer_id","status","sort" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "products_by_created" ON "products" USING btree ("customer_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "products_by_views" ON "products" USING btree ("customer_id","status","count_of_views","id");--> statement-breakpoint
CREATE INDEX "products_by_plays" ON "products" USING btree ("customer_id","status","count_of_plays","id");--> statement-breakpoint
CREATE INDEX "products_by_duration" ON "products" USING btree ("customer_id","status","duration_seconds","id");--> statement-breakpoint
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
CREATE INDEX "payments_order" ON "payments" USING btree ("customer_id","order_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_provider_ref" ON "payments" USING btree ("customer_id","provider","provider_ref");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_paid_once" ON "payments" USING btree ("customer_id","order_id") WHERE status = 'PAID';--> statement-breakpoint
CREATE INDEX "payments_open" ON "payments" USING btree ("customer_id","status","created_at") WHERE status in ('READY', 'PROCESSING');--> statement-breakpoint
CREATE INDEX "sandbox_deliveries_due" ON "sandbox_deliveries" USING btree ("customer_id","due_at") WHERE delivered_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_payments_reference" ON "sandbox_payments" USING btree ("customer_id","reference");--> statement-breakpoint
CREATE INDEX "notices_latest" ON "notices" USING btree ("customer_id","pinned" DESC NULLS LAST,"created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "comments_product" ON "comments" USING btree ("customer_id","product_id","parent_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "comments_parent" ON "comments" USING btree ("customer_id","parent_id","created_at");--> statement-breakpoint
CREATE INDEX "likes_latest" ON "likes" USING btree ("customer_id","member_id","created_at");--> statement-breakpoint
CREATE INDEX "positions_latest" ON "positions" USING btree ("customer_id","viewer","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "viewed_products_latest" ON "viewed_products" USING btree ("customer_id","viewer","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "product_search_tokens" ON "product_search" USING gin ("tokens");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_domains_host" ON "customer_domains" USING btree ("host");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_code" ON "customers" USING btree ("code");