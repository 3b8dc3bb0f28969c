import * as z from 'zod/mini'
import { bulkPermissions, type Permission } from '../permissions.ts'
import { fileOfType, listPermissions } from './lists.ts'

/**
 * What changes by itself while staff look at it, with the permissions of which it needs one: the
 * counts of the first screen, emails, video jobs, deliveries of webhooks, changes of many, and
 * imports and exports.
 */
export const changeTopics = {
  home: ['orders:read', 'inquiries:read', 'comments:read'],
  mails: ['mails:read'],
  videos: ['videos:read'],
  webhooks: ['webhooks:read'],
  bulk: [...new Set(Object.values(bulkPermissions))],
  tables: [...new Set<Permission>(['products:read', ...Object.values(listPermissions)])],
} as const satisfies Record<string, readonly Permission[]>

export const changeTopic = z.enum(['home', 'mails', 'videos', 'webhooks', 'bulk', 'tables'])
export type ChangeTopic = z.output<typeof changeTopic>

export const eventStreamType = 'text/event-stream'

/** The longest time that one request receives changes, in seconds. */
const longestStream = 300

export const changesQuery = z.object({
  /** Ends the answer after so many seconds. */
  seconds: z._default(z.int().check(z.gte(1), z.lte(longestStream)), longestStream),
})

/**
 * Server-sent events. `ready` is sent when the stream begins to send changes, and again when some
 * may have been missed: the caller then reads what it shows once more. `lost` is sent when it sends
 * none until the next `ready`: the caller polls meanwhile. `change` has a topic as its data.
 */
export const changeStream = fileOfType(eventStreamType)
