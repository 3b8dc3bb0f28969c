CREATE TABLE "installation" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"environment" text NOT NULL,
	CONSTRAINT "installation_only_row" CHECK ("installation"."only_row")
);
