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
import type { LessonId, ProductId, VideoId, VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/videos.ts'

/** A file of a language beside the film: its private media key, and what its content is known by where that was read. */
export interface TrackInput {
  language: string
  label: string
  key: string
  hash?: string
}

/** What an operator gives beside the file. */
export interface VideoOptions {
  captions: TrackInput[]
  audio: TrackInput[]
  chapters: { startSeconds: number; title: string }[]
  /** The spoken language of the file's own sound. */
  language?: string
  previewSeconds?: number
  previewStartSeconds?: number
  /** The poster candidate that becomes the product's poster, counted from 1. */
  poster?: number
  /** The file is kept when the stream is whole. */
  keepSource?: boolean
}

/** An operator's file on its way to a stream. The product's old stream serves until this one is whole. */
export const videoJobs = pgTable(
  'video_jobs',
  {
    customerId: customerId(),
    id: id<VideoJobId>(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    /** Null: the product's own video. */
    lessonId: uuid('lesson_id').$type<LessonId>(),
    /** The stream that comes of it; taken up in `videos` when it is whole. */
    videoId: uuid('video_id').$type<VideoId>().notNull(),
    status: text('status').$type<VideoJob['status']>().notNull().default('QUEUED'),
    /** PROBE, ENCODE, PACKAGE, STORE, … */
    step: text('step'),
    percent: real('percent').notNull().default(0),
    secondsLeft: integer('seconds_left'),
    /** The private media key of the file as it came. */
    sourceKey: text('source_key').notNull(),
    sourceName: text('source_name').notNull(),
    sourceBytes: bigint('source_bytes', { mode: 'number' }).notNull(),
    options: jsonb('options').$type<VideoOptions>().notNull(),
    /** A code, and the sentence an operator reads. */
    failure: text('failure'),
    reason: text('reason'),
    attempts: integer('attempts').notNull().default(0),
    /** Not begun before; moved on after a failure that may pass. */
    dueAt: at('due_at').notNull().default(sql`now()`),
    actor: text('actor').notNull(),
    /** The worker that has it was alive then. */
    seenAt: at('seen_at'),
    createdAt: createdAt(),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('video_jobs_open').on(t.customerId, t.createdAt).where(sql`ended_at is null`),
    index('video_jobs_latest').on(t.customerId, t.createdAt.desc()),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    check('video_jobs_status', sql`${t.status} in ('QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED')`),
  ],
)
