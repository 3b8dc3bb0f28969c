ALTER TABLE "sandbox_deposits" RENAME COLUMN "pays" TO "pays_order";
