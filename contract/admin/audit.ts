import * as z from 'zod/mini'
import { rowId } from '../ids.ts'
import { keysetPage, keysetQuery } from './lists.ts'

/**
 * An entry of the audit log. `actor`: `staff:{email}`, `operator:{token}`, `admin:{name}` of the
 * command line, `member:{id}`, or `rule`. `subject`: `order:{code}`, `member:{id}`, …
 */
export const auditEntry = z.object({
  id: rowId,
  at: z.iso.datetime(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  /** The changed fields with their values before and after. */
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  detail: z.record(z.string(), z.unknown()),
})

const exact = z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(300)))

export const auditQuery = z.object({
  ...keysetQuery,
  actor: exact,
  /** An action, or its first part: `order` matches `order.refunded`. */
  action: exact,
  subject: exact,
  /** Days in the store’s time zone, both inclusive. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
})
export const auditPage = keysetPage(auditEntry)
