CREATE UNIQUE INDEX "payment_accounts_active" ON "payment_accounts" USING btree ("customer_id") WHERE active;--> statement-breakpoint
-- Which provider takes a tenant's money is part of what is known of the tenant, and kept with it.
CREATE TRIGGER moves_version AFTER INSERT OR UPDATE OR DELETE ON payment_accounts FOR EACH STATEMENT EXECUTE FUNCTION move_tenant_version();
