import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { VideoJobStatus } from '#contract/enumerations.ts'
import type { LessonId, ProductId, VideoId, VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'

/** A caption or audio file with its language and its private media key. */
export interface TrackInput {
  language: string
  label: string
  key: string
  hash?: string
}

/** Options an operator sets for a video file. */
export interface VideoOptions {
  captions: TrackInput[]
  audio: TrackInput[]
  chapters: { startSeconds: number; title: string }[]
  /** The language of the file's own audio. */
  language?: string
  previewSeconds?: number
  previewStartSeconds?: number
  /** The poster candidate that becomes the product's poster, from 1. */
  poster?: number
  /** Whether the source file is retained after the stream is complete. */
  keepSource?: boolean
}

/** Encoding jobs. The product's current stream is served until the new one is complete. */
export const videoJobs = pgTable(
  'video_jobs',
  {
    customerId: customerId(),
    id: id<VideoJobId>(),
    /** Null for a video of the library, which nothing shows yet. */
    productId: uuid('product_id').$type<ProductId>(),
    /** Null for the product's own video. */
    lessonId: uuid('lesson_id').$type<LessonId>(),
    /** The id of the resulting stream. `videos` has a row for it once it is complete. */
    videoId: uuid('video_id').$type<VideoId>().notNull(),
    status: text('status').$type<VideoJobStatus>().notNull().default('QUEUED'),
    step: text('step').$type<VideoJob['step']>(),
    percent: real('percent').notNull().default(0),
    secondsLeft: integer('seconds_left'),
    /** The private media key of the source file. */
    sourceKey: text('source_key').notNull(),
    sourceName: text('source_name').notNull(),
    sourceBytes: bigint('source_bytes', { mode: 'number' }).notNull(),
    options: jsonb('options').$type<VideoOptions>().notNull(),
    /** A failure code. `reason` holds the message shown to operators. */
    failure: text('failure'),
    reason: text('reason'),
    attempts: integer('attempts').notNull().default(0),
    /** The job does not start before this time. A temporary failure moves it later. */
    dueAt: at('due_at').notNull().default(sql`now()`),
    actor: text('actor').notNull(),
    /** The time of the worker's last heartbeat. */
    seenAt: at('seen_at'),
    createdAt: createdAt(),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('video_jobs_open').on(t.customerId, t.createdAt).where(sql`ended_at is null`),
    index('video_jobs_unclean').on(t.customerId).where(sql`status in ('FAILED', 'CANCELLED') and step is not null`),
    index('video_jobs_running').on(t.customerId).where(sql`status in ('QUEUED', 'RUNNING')`),
    index('video_jobs_video').on(t.customerId, t.videoId),
    index('video_jobs_latest').on(t.customerId, t.createdAt.desc()),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    check('video_jobs_status', sql`${t.status} in ('QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED')`),
  ],
)
