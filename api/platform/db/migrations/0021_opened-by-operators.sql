-- Owners open and close their store through the API. The policy `own` binds the change to the tenant of the transaction.
GRANT UPDATE (opened) ON "customers" TO marquee_app;
