-- Operators change the settings of their store through the API. The policy `own` binds the change to the tenant of the transaction.
GRANT UPDATE (settings) ON "customers" TO marquee_app;
