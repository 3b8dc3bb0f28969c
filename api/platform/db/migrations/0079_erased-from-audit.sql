-- What is written about a member is erased with the member. Who did what, and when, cannot be changed, and no entry can be deleted.
GRANT UPDATE (subject, changes, detail) ON "audit" TO marquee_app;
