CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_lower" text NOT NULL,
	"name" text NOT NULL,
	"locale" text,
	"password_hash" text NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"totp_secret" text,
	"totp_pending" text,
	"totp_step" bigint DEFAULT 0 NOT NULL,
	"recovery_codes" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_invitations" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"email_lower" text NOT NULL,
	"role" text,
	"role_id" uuid,
	"key_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_invitations_customer_id_id_pk" PRIMARY KEY("customer_id","id"),
	CONSTRAINT "staff_invitations_one_role" CHECK (("staff_invitations"."role" is null) <> ("staff_invitations"."role_id" is null))
);
--> statement-breakpoint
CREATE TABLE "staff_memberships" (
	"customer_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"role" text,
	"role_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_memberships_customer_id_staff_id_pk" PRIMARY KEY("customer_id","staff_id"),
	CONSTRAINT "staff_memberships_one_role" CHECK (("staff_memberships"."role" is null) <> ("staff_memberships"."role_id" is null))
);
--> statement-breakpoint
CREATE TABLE "staff_roles" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_roles_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"version" integer NOT NULL,
	"device" text NOT NULL,
	"address" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_sessions_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "changes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD CONSTRAINT "staff_invitations_customer_id_role_id_staff_roles_customer_id_id_fk" FOREIGN KEY ("customer_id","role_id") REFERENCES "public"."staff_roles"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_memberships" ADD CONSTRAINT "staff_memberships_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_memberships" ADD CONSTRAINT "staff_memberships_customer_id_role_id_staff_roles_customer_id_id_fk" FOREIGN KEY ("customer_id","role_id") REFERENCES "public"."staff_roles"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_customer_id_staff_id_staff_memberships_customer_id_staff_id_fk" FOREIGN KEY ("customer_id","staff_id") REFERENCES "public"."staff_memberships"("customer_id","staff_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree ("email_lower");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitations_key" ON "staff_invitations" USING btree ("customer_id","key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitations_open" ON "staff_invitations" USING btree ("customer_id","email_lower") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "staff_memberships_role" ON "staff_memberships" USING btree ("customer_id","role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_roles_name" ON "staff_roles" USING btree ("customer_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "staff_sessions_token" ON "staff_sessions" USING btree ("customer_id","token_hash");--> statement-breakpoint
CREATE INDEX "staff_sessions_staff" ON "staff_sessions" USING btree ("customer_id","staff_id");--> statement-breakpoint
ALTER TABLE "staff_roles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_roles" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "staff_roles" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "staff_memberships" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_memberships" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "staff_memberships" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "staff_sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_sessions" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "staff_sessions" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
ALTER TABLE "staff_invitations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_invitations" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "staff_invitations" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());--> statement-breakpoint
-- People belong to several stores. A store sees its own, and the person whose email address it names.
ALTER TABLE "staff" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY known ON "staff" USING (
  email_lower = current_setting('marquee.staff_email', true)
  OR EXISTS (SELECT FROM staff_memberships m WHERE m.customer_id = current_customer() AND m.staff_id = staff.id)
);
