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
ALTER TABLE "product_figures" ALTER COLUMN "played_seconds" SET DATA TYPE double precision;--> statement-breakpoint
ALTER TABLE "caption_passages" ADD CONSTRAINT "caption_passages_customer_id_video_id_videos_customer_id_id_fk" FOREIGN KEY ("customer_id","video_id") REFERENCES "public"."videos"("customer_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "caption_passages_tokens" ON "caption_passages" USING gin ("tokens") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "lessons_video" ON "lessons" USING btree ("customer_id","video_id");--> statement-breakpoint
CREATE INDEX "products_video" ON "products" USING btree ("customer_id","video_id");--> statement-breakpoint
ALTER TABLE "caption_passages" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON "caption_passages" USING (customer_id = current_customer()) WITH CHECK (customer_id = current_customer());
--> statement-breakpoint
CREATE TRIGGER moves_version AFTER INSERT OR UPDATE OR DELETE ON "caption_passages" FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version();
--> statement-breakpoint
-- Stands in for the policy as matching_products does. Each lexeme carries its tenant, so the index alone stays within it, and it is
-- the only way in: a plan that walks the table because some word is common would read a million captions. At most `sought` passages
-- are looked at; those that hold `phrase` come first, one of each video before the next of any.
CREATE FUNCTION matching_passages(tenant uuid, query text, phrase text, sought integer, most integer)
  RETURNS TABLE (video_id uuid, language text, shared integer, cues jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan = off SET enable_indexscan = off
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
REVOKE ALL ON FUNCTION matching_passages(uuid, text, text, integer, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION matching_passages(uuid, text, text, integer, integer) TO marquee_app;
