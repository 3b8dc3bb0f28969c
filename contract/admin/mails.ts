import * as z from 'zod/mini'
import { locale, mailStatus } from '../enumerations.ts'
import { mailId, memberId } from '../ids.ts'
import { inOrder } from '../paging.ts'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'
import { exportedColumns, fileOfType, keysetPage, keysetQuery, searchText } from './lists.ts'

const mailDay = z.iso.date().check(z.refine((day) => day < '3000-01-01'))

/** What emails can be filtered by. */
export const mailSelection = {
  status: z.optional(mailStatus),
  /** The recipient’s address. */
  to: z._default(textUpTo(254), ''),
  /** What they are about, as `template` of the list names it. */
  template: z.optional(z.string().check(z.maxLength(60), z.regex(/^[a-z][a-z-]*$/))),
  /** The first and the last day on which they were written, in the store’s time zone. */
  since: z.optional(mailDay),
  until: z.optional(mailDay),
}
export type MailSelection = z.output<z.ZodMiniObject<typeof mailSelection>>
export const storeMailQuery = z.object({ ...keysetQuery, ...mailSelection }).check(inOrder('since', 'until'))
export const storeMailExport = z.object({ ...mailSelection, columns: exportedColumns }).check(inOrder('since', 'until'))
const mailRow = z.object({
  id: mailId,
  to: z.string(),
  locale,
  /** Subjects are left out, because some hold codes. */
  template: z.string(),
  status: mailStatus,
  attempts: z.int(),
  failure: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  dueAt: z.iso.datetime(),
})
export const storeMailPage = keysetPage(mailRow)
/**
 * `content` is null if it has a code or link for the recipient alone, or was erased. `hasHtml`:
 * whether it can be shown as it was sent.
 */
export const storeMail = z.object({
  mail: z.extend(mailRow, {
    sentAt: z.nullable(z.iso.datetime()),
    /** The member to whom it was sent. Null for others, such as staff. */
    memberId: z.nullable(memberId),
  }),
  content: z.nullable(z.object({ subject: z.string(), text: z.string(), hasHtml: z.boolean() })),
  history: z.array(auditEntry),
})
export type StoreMail = z.output<typeof storeMail>
export const storeMailPath = z.object({ id: mailId })
export const queuedMail = z.object({ id: mailId })
export const htmlType = 'text/html; charset=utf-8'
export const storeMailHtml = fileOfType(htmlType)
export const storeTestMail = z.object({ email: z.email().check(z.maxLength(254)) })

/** The `failure` of an email to a suppressed address. */
export const suppressedFailure = 'SUPPRESSED'

/** REFUSED: the email server has refused the address for good. STAFF: a person has added it. */
const suppressionSource = z.enum(['REFUSED', 'STAFF'])
export type SuppressionSource = z.output<typeof suppressionSource>

const address = z.email().check(z.maxLength(254))
const suppressedAddress = z.object({
  address: z.string(),
  source: suppressionSource,
  /** The answer of the email server, or why staff have added it. */
  reason: z.string(),
  createdAt: z.iso.datetime(),
  /** When it is tried again; null if staff must remove it. */
  until: z.nullable(z.iso.datetime()),
})
export const suppressedQuery = z.object({
  ...keysetQuery,
  /** The start of an address. */
  q: searchText,
})
export const suppressedExport = z.object({ q: searchText, columns: exportedColumns })
export const suppressedPage = keysetPage(suppressedAddress)
export const suppressedForm = z.object({
  address,
  reason: requiredText(500),
})
export const suppressedPath = z.object({ address })
