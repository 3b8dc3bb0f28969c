import { and, eq, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  type PgTable,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { at, createdAt, customerId, id, translations } from '#api/platform/db/columns.ts'
import type { ContentState } from '#contract/admin/content.ts'
import type { BannerLink } from '#contract/content.ts'
import type { BannerType } from '#contract/enumerations.ts'
import type { BannerId, CustomerId, FaqId, NoticeId } from '#contract/ids.ts'
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
    /** Visitors do not see it, whatever its period. */
    isDraft: boolean('is_draft').notNull().default(false),
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
    /** Visitors do not see it, whatever its period. */
    isDraft: boolean('is_draft').notNull().default(false),
    startsAt: at('starts_at'),
    endsAt: at('ends_at'),
    sort: integer('sort').notNull().default(0),
    updatedAt: at('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.type] }),
    index('pages_planned').on(t.customerId).where(sql`planned is not null`),
  ],
)

/** Matches the mark of a draft or of a gap to fill in, in JavaScript and PostgreSQL. */
const draftPattern = String.raw`\[(?:DRAFT|FILL IN[^\]]*)\]`

const gap = new RegExp(draftPattern)

/** Whether a text of a page is unfinished: marked as a draft or with gaps. */
export const isUnfinished = (text: string) => gap.test(text)

interface Publication {
  isDraft?: boolean
  startsAt: string | null
  endsAt: string | null
}

/** Whether visitors see what has a period at a time. */
export const stateAt = ({ isDraft = false, startsAt, endsAt }: Publication, now: string): ContentState => {
  if (isDraft) return 'DRAFT'
  if (startsAt !== null && startsAt > now) return 'SCHEDULED'
  return endsAt !== null && endsAt <= now ? 'ENDED' : 'SHOWN'
}

type PageTexts = Pick<typeof pages.$inferSelect, 'title' | 'body' | 'translations' | 'planned' | 'updatedAt'>

/**
 * Returns a page as it is at a time: its planned texts replace the present ones from then on. A
 * page that was changed since, for example by an import, keeps its texts.
 */
export const pageAt = <Row extends PageTexts>(row: Row, now: string): Row => {
  if (row.planned === null || row.planned.startsAt > now) return row
  const { startsAt, ...texts } = row.planned
  return row.updatedAt < startsAt ? { ...row, ...texts, planned: null, updatedAt: startsAt } : { ...row, planned: null }
}

/** Reads and writes rows of one table by their key, for operators who edit them. */
export const rowsByKey = <Table extends PgTable & { customerId: AnyPgColumn }>(table: Table, column: AnyPgColumn) => {
  const at = (customerId: CustomerId, key: string) => and(eq(table.customerId, customerId), eq(column, key))
  return {
    /** A row with all its columns; null without one. `lock` locks it until the transaction ends. */
    find: async (db: TenantDb, customerId: CustomerId, key: string, { lock = false } = {}) => {
      const select = db
        .select()
        // The rows of a table that is a type parameter have no derived type.
        .from(table as PgTable)
        .where(at(customerId, key))
      const rows = await (lock ? select.for('update') : select)
      // These are the columns of the table.
      return (rows[0] ?? null) as Table['$inferSelect'] | null
    },
    /** Returns false if the key is taken. */
    insert: async (db: TenantDb, row: Table['$inferInsert']) =>
      (await db.insert(table).values(row).onConflictDoNothing().returning({ column })).length > 0,
    update: async (db: TenantDb, customerId: CustomerId, key: string, values: Partial<Table['$inferInsert']>) => {
      await db
        .update(table)
        // As above.
        .set(values as never)
        .where(at(customerId, key))
    },
    remove: async (db: TenantDb, customerId: CustomerId, key: string) => {
      await db.delete(table).where(at(customerId, key))
    },
  }
}

/** SQL: what a link leads to, by its own field or as a path of the store. */
const targetOf = (link: string, field: string, path: string) =>
  `coalesce(${link}->>'${field}', substring(${link}->>'url' from '^/${path}/?(?:[?#].*)?$'))`

/** SQL: the target has no problem, or the row does not exist. */
const problemIn = (from: string, key: string, problem: string) =>
  `coalesce((SELECT ${problem} ${from} o WHERE o.customer_id = $1 AND ${key}), 'MISSING')`

/** SQL: a row with a period is not shown yet, or no longer. `$2` is the time. */
const outsidePeriod = (from: string, to: string) =>
  `WHEN o.${to} <= $2::timestamptz THEN 'ENDED' WHEN o.${from} > $2::timestamptz THEN 'SCHEDULED'`

/**
 * SQL: why visitors do not find what a link leads to; empty if they do, null without a target in
 * the store. `$1` is the customer, `$2` the time. `isFree` is whether a product `o` costs nothing,
 * where the store does not offer such products.
 */
export const linkProblemSql = (link: string, { useSubscribe, isFree }: { useSubscribe: boolean; isFree: string }) => {
  const code = '([A-Za-z0-9-]+)'
  const product = targetOf(link, 'productCode', `products/${code}`)
  const plan = targetOf(link, 'planCode', `plans/${code}/products`)
  const notice = targetOf(link, 'noticeId', 'notices/([0-9a-f-]{36})')
  const page = targetOf(link, 'pageType', 'pages/([a-z0-9-]+)')
  const offered = useSubscribe ? 'o.on_sale' : 'false'
  return `CASE
    WHEN ${product} IS NOT NULL THEN ${problemIn(
      'FROM products',
      `o.code = ${product}`,
      `CASE WHEN o.status <> 'ON_SALE' THEN o.status ${outsidePeriod('sale_from', 'sale_to')} WHEN ${isFree} THEN 'NOT_OFFERED' ELSE '' END`,
    )}
    WHEN ${plan} IS NOT NULL THEN ${problemIn(
      'FROM plans',
      `o.code = ${plan}`,
      `CASE WHEN ${offered} THEN '' ELSE 'NOT_OFFERED' END`,
    )}
    WHEN ${notice} IS NOT NULL THEN ${problemIn(
      'FROM notices',
      `o.id::text = ${notice}`,
      `CASE WHEN o.is_draft THEN 'DRAFT' ${outsidePeriod('starts_at', 'ends_at')} ELSE '' END`,
    )}
    WHEN ${page} IS NOT NULL THEN ${problemIn(
      'FROM pages',
      `o.type = ${page}`,
      `CASE WHEN o.is_draft OR o.title || o.body ~ '${draftPattern}' THEN 'DRAFT' ${outsidePeriod('starts_at', 'ends_at')} ELSE '' END`,
    )}
    WHEN ${link}->>'categoryId' IS NOT NULL
    THEN ${problemIn('FROM categories', `o.id::text = ${link}->>'categoryId'`, `''`)} END`
}
