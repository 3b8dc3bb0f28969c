import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { at, createdAt, customerId, id, translations } from '#api/platform/db/columns.ts'
import type { BannerLink } from '#contract/content.ts'
import type { BannerType } from '#contract/enumerations.ts'
import type { BannerId, FaqId, NoticeId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translations } from '#contract/translations.ts'

/** The texts of a page from a time on. */
export interface PlannedPage {
  title: string
  body: string
  translations: Translations
  startsAt: string
}

const tenant = () => customerId().references(() => customers.customerId)

export const banners = pgTable(
  'banners',
  {
    customerId: tenant(),
    id: id<BannerId>(),
    type: text('type').$type<BannerType>().notNull(),
    title: text('title').notNull(),
    text: text('text').notNull().default(''),
    label: text('label'),
    imageDesktop: jsonb('image_desktop').$type<Picture>(),
    imageMobile: jsonb('image_mobile').$type<Picture>(),
    tone: text('tone').$type<'LIGHT' | 'DARK'>().notNull().default('LIGHT'),
    link: jsonb('link').$type<BannerLink>(),
    html: text('html'),
    translations: translations(),
    startsAt: at('starts_at'),
    endsAt: at('ends_at'),
    sort: integer('sort').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    check(
      'banners_type',
      sql`${t.type} in ('HEADER_BANNER', 'MAIN_SLIDER_BANNER', 'BANNER', 'CUSTOM', 'GRID', 'NONE')`,
    ),
  ],
)

export const notices = pgTable(
  'notices',
  {
    customerId: tenant(),
    id: id<NoticeId>(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    pinned: boolean('pinned').notNull().default(false),
    /** Visitors do not see it, whatever its period. */
    isDraft: boolean('is_draft').notNull().default(false),
    attachments: jsonb('attachments').$type<{ name: string; bytes: number; url: string }[]>().notNull().default([]),
    startsAt: at('starts_at'),
    endsAt: at('ends_at'),
    translations: translations(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('notices_latest').on(t.customerId, t.pinned.desc(), t.createdAt.desc()),
  ],
)

export const faq = pgTable(
  'faq',
  {
    customerId: tenant(),
    id: id<FaqId>(),
    group: text('group').notNull(),
    question: text('question').notNull(),
    answer: text('answer').notNull(),
    translations: translations(),
    startsAt: at('starts_at'),
    endsAt: at('ends_at'),
    sort: integer('sort').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.id] })],
)

export const pages = pgTable(
  'pages',
  {
    customerId: tenant(),
    /** The last part of its address: `terms`, or a word of the store's own. */
    type: text('type').notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    translations: translations(),
    /** The texts from a later time on. See `pageAt`. */
    planned: jsonb('planned').$type<PlannedPage>(),
    sort: integer('sort').notNull().default(0),
    updatedAt: at('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.type] }),
    index('pages_planned').on(t.customerId).where(sql`planned is not null`),
  ],
)
