ALTER TABLE "video_jobs" ALTER COLUMN "product_id" DROP NOT NULL;
