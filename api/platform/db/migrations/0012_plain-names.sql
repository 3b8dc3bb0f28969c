ALTER TABLE "attempts" RENAME TO "rate_limits";--> statement-breakpoint
ALTER TABLE "rate_limits" RENAME COLUMN "taken" TO "attempted_at";--> statement-breakpoint
ALTER TABLE "rate_limits" RENAME COLUMN "forget_at" TO "expires_at";--> statement-breakpoint
ALTER TABLE "rate_limits" RENAME CONSTRAINT "attempts_customer_id_name_key_hash_pk" TO "rate_limits_customer_id_name_key_hash_pk";--> statement-breakpoint
ALTER INDEX "attempts_past" RENAME TO "rate_limits_expired";--> statement-breakpoint
ALTER TABLE "product_figures" RENAME TO "product_analytics";--> statement-breakpoint
ALTER TABLE "product_analytics" RENAME COLUMN "reached_plays" TO "plays_with_ranges";--> statement-breakpoint
ALTER TABLE "product_analytics" RENAME COLUMN "reached" TO "watched_ranges";--> statement-breakpoint
ALTER TABLE "product_analytics" RENAME CONSTRAINT "product_figures_customer_id_product_id_part_day_pk" TO "product_analytics_customer_id_product_id_part_day_pk";--> statement-breakpoint
ALTER TABLE "product_analytics" RENAME CONSTRAINT "product_figures_customer_id_product_id_products_customer_id_id_fk" TO "product_analytics_customer_id_product_id_products_customer_id_id_fk";--> statement-breakpoint
ALTER INDEX "product_figures_day" RENAME TO "product_analytics_day";--> statement-breakpoint
ALTER TABLE "positions" RENAME COLUMN "reached" TO "watched_ranges";--> statement-breakpoint
ALTER TABLE "product_events" RENAME COLUMN "reached" TO "watched_ranges";--> statement-breakpoint
ALTER TABLE "play_leaks" RENAME COLUMN "asks" TO "requests";--> statement-breakpoint
ALTER TABLE "video_jobs" RENAME COLUMN "wish" TO "options";--> statement-breakpoint
ALTER TABLE "banners" RENAME COLUMN "wide" TO "image_desktop";--> statement-breakpoint
ALTER TABLE "banners" RENAME COLUMN "narrow" TO "image_mobile";--> statement-breakpoint
ALTER TABLE "banners" RENAME COLUMN "show_from" TO "starts_at";--> statement-breakpoint
ALTER TABLE "banners" RENAME COLUMN "show_to" TO "ends_at";--> statement-breakpoint
ALTER TABLE "notices" RENAME COLUMN "show_from" TO "starts_at";--> statement-breakpoint
ALTER TABLE "notices" RENAME COLUMN "show_to" TO "ends_at";
