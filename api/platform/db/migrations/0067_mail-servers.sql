CREATE TABLE "mail_servers" (
	"customer_id" uuid NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"security" text NOT NULL,
	"username" text,
	"password" text,
	"sender_name" text,
	"sender_address" text NOT NULL,
	"failing_since" timestamp with time zone,
	"failure" text,
	"retry_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "mail_servers_customer_id_pk" PRIMARY KEY("customer_id"),
	CONSTRAINT "mail_servers_security" CHECK ("mail_servers"."security" in ('TLS', 'STARTTLS', 'NONE')),
	CONSTRAINT "mail_servers_failing" CHECK (("mail_servers"."failing_since" is null) = ("mail_servers"."failure" is null))
);
--> statement-breakpoint
ALTER TABLE "mail_servers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "mail_servers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "mail_servers" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
