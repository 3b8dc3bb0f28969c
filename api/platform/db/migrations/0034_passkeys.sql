CREATE TABLE "staff_passkeys" (
	"customer_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"host" text NOT NULL,
	"name" text NOT NULL,
	"last_challenge_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_passkeys_customer_id_id_pk" PRIMARY KEY("customer_id","id")
);
--> statement-breakpoint
ALTER TABLE "staff_passkeys" ADD CONSTRAINT "staff_passkeys_customer_id_staff_id_staff_memberships_customer_id_staff_id_fk" FOREIGN KEY ("customer_id","staff_id") REFERENCES "public"."staff_memberships"("customer_id","staff_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_passkeys_credential" ON "staff_passkeys" USING btree ("customer_id","credential_id");--> statement-breakpoint
CREATE INDEX "staff_passkeys_staff" ON "staff_passkeys" USING btree ("customer_id","staff_id");--> statement-breakpoint
ALTER TABLE "staff_passkeys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_passkeys" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "staff_passkeys" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
