import * as z from 'zod/mini'
import type { Permission } from '../permissions.ts'
import { textUpTo } from '../text.ts'

/**
 * The paging of operators' lists. `cursor` is the `nextCursor` of the page before. A page costs the
 * same however deep it is.
 */
export const keysetQuery = {
  cursor: z.optional(z.string().check(z.regex(/^[\w-]{20,160}$/))),
  size: z._default(z.int().check(z.gte(1), z.lte(200)), 50),
}

/** A page of a list. `nextCursor` is null on the last page. */
export const keysetPage = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.nullable(z.string()) })

/** The most objects of a list that are counted: further ones cost as much as reading them. */
export const maxListCount = 10_000
/** How many objects fit filters, at most `maxListCount`; `hasMore` where there are more. */
export const listCount = z.object({ count: z.int(), hasMore: z.boolean() })
export type ListCount = z.output<typeof listCount>

/** A file of one type. Zod's list of MIME types has none with parameters. */
export const fileOfType = (type: string) => z.file().check(z.mime([type as z.core.util.MimeTypes]))

export const csvType = 'text/csv; charset=utf-8'
/**
 * A list as a file: UTF-8 with a byte order mark. Text that a spreadsheet would read as a formula
 * begins with an apostrophe.
 */
export const csvFile = fileOfType(csvType)

/** A limit of an amount in minor units. */
export const amountLimit = z.int().check(z.gte(0), z.lte(1e12))

/** A search by words: trimmed, empty for everything. */
export const searchText = z._default(textUpTo(100), '')

/**
 * The columns of an export, as the console’s list names them, with commas between them. Without
 * them, or without a known one, all.
 */
export const exportedColumns = z.optional(z.string().check(z.maxLength(200), z.regex(/^[a-z]+(,[a-z]+)*$/i)))

/** The lists of the console that are exported, each with the permission to read it. */
export const listPermissions = {
  orders: 'orders:read',
  movements: 'orders:read',
  deposits: 'orders:read',
  subscriptions: 'orders:read',
  members: 'members:read',
  inquiries: 'inquiries:read',
  mails: 'mails:read',
  audit: 'audit:read',
  'product-list': 'products:read',
  comments: 'comments:read',
  'suppressed-addresses': 'mails:read',
  videos: 'videos:read',
  cases: 'inquiries:read',
  'webhook-deliveries': 'webhooks:read',
} as const satisfies Record<string, Permission>
