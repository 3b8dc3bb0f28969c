ALTER TABLE "videos" ADD COLUMN "name" text;
