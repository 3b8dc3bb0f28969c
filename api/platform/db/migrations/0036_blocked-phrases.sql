CREATE TABLE "blocked_phrases" (
	"customer_id" uuid NOT NULL,
	"phrases" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "blocked_phrases_customer_id_pk" PRIMARY KEY("customer_id")
);
--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "held_phrase" text;--> statement-breakpoint
ALTER TABLE "blocked_phrases" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "blocked_phrases" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "blocked_phrases" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
