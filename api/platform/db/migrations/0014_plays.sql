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
ALTER TABLE "plays" ADD COLUMN "address" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "play_leaks_latest" ON "play_leaks" USING btree ("customer_id","last_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plays_session" ON "plays" USING btree ("customer_id","session_id","seen_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plays_seen" ON "plays" USING btree ("customer_id","seen_at");--> statement-breakpoint
ALTER TABLE "play_leaks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "play_leaks" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "play_leaks" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
