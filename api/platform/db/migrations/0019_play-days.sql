ALTER TABLE "positions" ADD COLUMN "counted_on" date;--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "reached" integer;--> statement-breakpoint
ALTER TABLE "product_events" ADD COLUMN "reached" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product_events" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "product_figures" ADD COLUMN "reached_plays" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product_figures" ADD COLUMN "reached" integer[];--> statement-breakpoint
-- What is counted already is brought into line, for all stores at once; the owner is held by the policies otherwise.
ALTER TABLE "positions" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "product_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "product_figures" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- A day with more ends than plays holds ends of plays before it: each goes to the latest day before that has a play without an end. An end
-- for which there is none belongs to a play that no figure knows, and goes.
UPDATE product_figures f
   SET finishes = n.finishes
  FROM (
    SELECT c.*, c.ends + coalesce(lag(c.carried) OVER later, 0) - c.carried AS finishes
      FROM (
        SELECT s.*, s.surplus - least(0, min(s.surplus) OVER later) AS carried
          FROM (
            SELECT customer_id, product_id, part, day, finishes AS ends, sum(finishes - plays) OVER later AS surplus
              FROM product_figures
            WINDOW later AS (PARTITION BY customer_id, product_id, part ORDER BY day DESC)
          ) s
        WINDOW later AS (PARTITION BY customer_id, product_id, part ORDER BY day DESC)
      ) c
    WINDOW later AS (PARTITION BY customer_id, product_id, part ORDER BY day DESC)
  ) n
 WHERE f.customer_id = n.customer_id AND f.product_id = n.product_id AND f.part = n.part AND f.day = n.day
   AND f.finishes <> n.finishes;
--> statement-breakpoint
UPDATE product_events e
   SET day = (e.at AT TIME ZONE (c.settings -> 'base' ->> 'timeZone'))::date
  FROM customers c
 WHERE c.customer_id = e.customer_id AND e.type = 'PLAY';
--> statement-breakpoint
-- Ends that are not in the figures yet, and plays that may still come to theirs, get the days of the plays without an end: the latest
-- the latest, no day more than it has. Where there is none, the play is in no figure, and its end will be in none.
WITH open_days AS (
  SELECT o.*, sum(o.plays) OVER (PARTITION BY customer_id, product_id, part ORDER BY day DESC) AS upto
    FROM (
      SELECT customer_id, product_id, part, day, sum(plays) AS plays
        FROM (
          SELECT customer_id, product_id, part, day, plays - finishes AS plays FROM product_figures WHERE plays > finishes
           UNION ALL
          SELECT customer_id, product_id, part, day, 1 FROM product_events WHERE type = 'PLAY'
        ) without_end
       GROUP BY customer_id, product_id, part, day
    ) o
), waiting AS (
  SELECT w.*, row_number() OVER (PARTITION BY customer_id, product_id, part ORDER BY event IS NULL, at DESC) AS place
    FROM (
      SELECT customer_id, product_id, part, at, id AS event, NULL AS viewer FROM product_events WHERE type = 'FINISH'
       UNION ALL
      SELECT customer_id, product_id, part, at, NULL, viewer FROM positions WHERE counted AND NOT finished
    ) w
), given AS (
  SELECT w.*, o.day
    FROM waiting w
    JOIN open_days o USING (customer_id, product_id, part)
   WHERE w.place > o.upto - o.plays AND w.place <= o.upto
), ended AS (
  UPDATE product_events e SET day = g.day FROM given g WHERE e.customer_id = g.customer_id AND e.id = g.event
)
UPDATE positions p
   SET counted_on = g.day
  FROM given g
 WHERE p.customer_id = g.customer_id AND p.viewer = g.viewer AND p.product_id = g.product_id AND p.part = g.part;
--> statement-breakpoint
DELETE FROM product_events WHERE type = 'FINISH' AND day IS NULL;--> statement-breakpoint
ALTER TABLE "positions" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "product_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "product_figures" FORCE ROW LEVEL SECURITY;
