-- Stores that are there already are open; one that is made from now on is closed until it is opened.
ALTER TABLE "customers" ADD COLUMN "opened" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "customers" ALTER COLUMN "opened" SET DEFAULT false;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION move_own_version() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
  BEGIN
    IF (NEW.settings, NEW.use_customer, NEW.use_site, NEW.opened, NEW.code)
       IS DISTINCT FROM (OLD.settings, OLD.use_customer, OLD.use_site, OLD.opened, OLD.code) THEN
      NEW.version := greatest(NEW.version, OLD.version + 1);
    END IF;
    RETURN NEW;
  END $$;
