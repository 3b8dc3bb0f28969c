ALTER TABLE "operator_tokens" ADD COLUMN "scopes" text[] NOT NULL DEFAULT '{analytics:read,videos:read,videos:write}';--> statement-breakpoint
-- Tokens made before could do everything; new ones say what they may do.
ALTER TABLE "operator_tokens" ALTER COLUMN "scopes" DROP DEFAULT;
