ALTER TABLE "customers" ADD COLUMN "maintenance" jsonb;--> statement-breakpoint
GRANT UPDATE (maintenance) ON "customers" TO marquee_app;--> statement-breakpoint
-- What visitors of a closed store read is cached with its version, as its settings are.
CREATE OR REPLACE FUNCTION move_own_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    IF (NEW.settings, NEW.use_customer, NEW.use_site, NEW.opened, NEW.code, NEW.maintenance)
       IS DISTINCT FROM (OLD.settings, OLD.use_customer, OLD.use_site, OLD.opened, OLD.code, OLD.maintenance) THEN
      NEW.version := greatest(NEW.version, OLD.version + 1);
    END IF;
    RETURN NEW;
  END $$;