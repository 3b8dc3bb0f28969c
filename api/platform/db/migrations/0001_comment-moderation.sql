ALTER TABLE "comments" DROP CONSTRAINT "comments_state";--> statement-breakpoint
ALTER TABLE "comments" ALTER COLUMN "member_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "comment_reports" ADD COLUMN "resolved_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "comment_reports_waiting" ON "comment_reports" USING btree ("customer_id","comment_id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "comments_held" ON "comments" USING btree ("customer_id","created_at") WHERE state = 'HELD';--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_state" CHECK ("comments"."state" in ('SHOWN', 'HELD', 'HIDDEN', 'DELETED'));