CREATE TABLE "known_networks" (
	"customer_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"network_hash" text NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_networks_customer_id_member_id_network_hash_pk" PRIMARY KEY("customer_id","member_id","network_hash")
);
--> statement-breakpoint
ALTER TABLE "known_networks" ADD CONSTRAINT "known_networks_customer_id_member_id_members_customer_id_id_fk" FOREIGN KEY ("customer_id","member_id") REFERENCES "public"."members"("customer_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_networks_past" ON "known_networks" USING btree ("customer_id","last_at");--> statement-breakpoint
ALTER TABLE "known_networks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "known_networks" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "known_networks" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
