import type * as z from 'zod/mini'
import { type CommentPageRow, readCommentPage } from '#api/modules/engagement/comments.queries.ts'
import { commentFilterOf } from '#api/modules/engagement/moderation.ts'
import {
  type MailPageRow,
  readMailPage,
  readSuppressedPage,
  type SuppressedRow,
} from '#api/modules/mail/mail.queries.ts'
import { mailFilterOf, suppressedFilterOf } from '#api/modules/mail/mails.ts'
import { type LibraryRow, readVideoPage } from '#api/modules/media/videos.queries.ts'
import { type InquiryPageRow, readInquiryPage } from '#api/modules/support/staff-inquiries.queries.ts'
import { inquiryFilterOf } from '#api/modules/support/staff-inquiries.ts'
import { type CasePageRow, readCases } from '#api/modules/support/support.queries.ts'
import { type DeliveryPageRow, readDeliveryPage } from '#api/modules/webhooks/webhooks.queries.ts'
import { dayAt, timeCell, timeHeading } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { ImportTable } from '#contract/admin/imports.ts'
import type { storeInquiryExport } from '#contract/admin/inquiries.ts'
import { type ListCount, maxListCount } from '#contract/admin/lists.ts'
import type { SuppressionSource, storeMailExport, suppressedExport } from '#contract/admin/mails.ts'
import type { storeOrderExport } from '#contract/admin/orders.ts'
import type { caseExport, commentExport } from '#contract/admin/queues.ts'
import type { JobTable } from '#contract/admin/table-jobs.ts'
import type { storeVideoExport } from '#contract/admin/videos.ts'
import type { webhookDeliveryExport } from '#contract/admin/webhooks.ts'
import type {
  CaseStatus,
  CommentState,
  MailStatus,
  OrderStatus,
  OrderWay,
  RecordedMethod,
  WebhookDeliveryStatus,
} from '#contract/enumerations.ts'
import type { CustomerId } from '#contract/ids.ts'
import { type OrderPageRow, readOrderPage } from './admin-lists.queries.ts'
import { orderFilterOf, referenceOf } from './store-orders.ts'

/**
 * A column of a file. `shown` is the column of the console’s list that it belongs to. The heading
 * of times names their zone.
 */
export type ExportColumn<Row> = readonly [
  shown: string,
  header: string | ((timeZone: string) => string),
  value: (row: Row, timeZone: string, i18n: I18n) => string | number | null,
]

/** A list of the console as a file. */
export interface ListExport<Row, Filters> {
  name: Exclude<JobTable, ImportTable | 'movements'>
  columns: readonly ExportColumn<Row>[]
  /** Reads one row more than `size`. */
  read: (ctx: Pick<Ctx, 'customer' | 'clock'>, filters: Filters) => (tx: Ctx, page: Page) => Promise<Row[]>
}

interface Page {
  after: KeysetPosition | null
  size: number
}

/** Returns a count for the console. `found` was counted up to `maxListCount + 1`. */
export const countedList = (found: number): ListCount => ({
  count: Math.min(found, maxListCount),
  hasMore: found > maxListCount,
})

/** Reads the pages of what fits a filter. */
export const pagesOf =
  <Row, Filter>(read: (db: TenantDb, id: CustomerId, filter: Filter & Page) => Promise<Row[]>, filter: Filter) =>
  ({ db, customer }: Ctx, page: Page): Promise<Row[]> =>
    read(db, customer.id, { ...filter, ...page })

/** Its heading names the time zone of the store, in which the times are written. */
export const timeColumn = <Row>(shown: string, name: string, read: (row: Row) => string | null): ExportColumn<Row> => [
  shown,
  (timeZone) => timeHeading(name, timeZone),
  (row, timeZone) => timeCell(read(row), timeZone),
]

/** A cell of what is so or not. */
export const yesOrNo = (isSo: boolean) => (isSo ? 'yes' : 'no')

const dayOrNull = (at: string | null, timeZone: string) => (at === null ? null : dayAt(new Date(at), timeZone))

// The console has the same names in its own catalogue.
const orderStatusNames = (i18n: I18n): Record<OrderStatus, string> => ({
  PAYMENT_COMPLETE: i18n._('Paid', {}, { context: 'status' }),
  DEPOSIT_WAITING: i18n._('Awaiting deposit', {}, { context: 'status' }),
  CANCEL_REQUEST: i18n._('Refund requested', {}, { context: 'status' }),
  CANCEL_COMPLETE: i18n._('Refunded', {}, { context: 'status' }),
  PAYMENT_FAIL: i18n._('Not paid', {}, { context: 'status' }),
})

const wayNames = (i18n: I18n): Record<OrderWay, string> => ({
  CARD: i18n._('Card', {}, { context: 'way of payment' }),
  BANK: i18n._('Bank transfer', {}, { context: 'way of payment' }),
  RECORDED: i18n._('Recorded sale', {}, { context: 'way of payment' }),
  COMPLIMENTARY: i18n._('Complimentary', {}, { context: 'way of payment' }),
  FREE: i18n._('Free of charge', {}, { context: 'way of payment' }),
})

const recordedNames = (i18n: I18n): Record<RecordedMethod, string> => ({
  CASH: i18n._('Cash', {}, { context: 'way of payment' }),
  TRANSFER: i18n._('Transfer to the store', {}, { context: 'way of payment' }),
  TERMINAL: i18n._('Card terminal of the store', {}, { context: 'way of payment' }),
  OTHER: i18n._('Other', {}, { context: 'way of payment' }),
})

const inquiryStatusNames = (i18n: I18n): Record<InquiryPageRow['status'], string> => ({
  WAIT: i18n._('Awaiting answer', {}, { context: 'status' }),
  COMPLETE: i18n._('Answered', {}, { context: 'status' }),
  CLOSED: i18n._('Closed', {}, { context: 'status' }),
})

const mailStatusNames = (i18n: I18n): Record<MailStatus, string> => ({
  QUEUED: i18n._('Queued', {}, { context: 'status' }),
  SENT: i18n._('Sent', {}, { context: 'status' }),
  FAILED: i18n._('Failed', {}, { context: 'status' }),
  NOT_SENT: i18n._('Not sent', {}, { context: 'status' }),
})

const commentStateNames = (i18n: I18n): Record<CommentState, string> => ({
  SHOWN: i18n._('Published', {}, { context: 'status' }),
  HELD: i18n._('Held', {}, { context: 'status' }),
  HIDDEN: i18n._('Hidden', {}, { context: 'status' }),
  DELETED: i18n._('Deleted by its author', {}, { context: 'status' }),
})

const caseStatusNames = (i18n: I18n): Record<CaseStatus, string> => ({
  WAIT: i18n._('Open', {}, { context: 'status' }),
  COMPLETE: i18n._('Closed', {}, { context: 'status' }),
})

const deliveryStatusNames = (i18n: I18n): Record<WebhookDeliveryStatus, string> => ({
  QUEUED: i18n._('Queued', {}, { context: 'delivery' }),
  DELIVERED: i18n._('Delivered', {}, { context: 'delivery' }),
  FAILED: i18n._('Failed', {}, { context: 'delivery' }),
})

const suppressedByNames = (i18n: I18n): Record<SuppressionSource, string> => ({
  STAFF: i18n._('Staff'),
  REFUSED: i18n._('Email server'),
})

export const orders: ListExport<OrderPageRow, z.output<typeof storeOrderExport>> = {
  name: 'orders',
  columns: [
    ['code', 'order', ({ code }) => code],
    ['status', 'status', ({ status }) => status],
    ['status', 'status name', ({ status }, _, i18n) => status && orderStatusNames(i18n)[status]],
    ['way', 'way of payment', ({ way }) => way],
    ['way', 'recorded as', ({ recordedAs }) => recordedAs],
    [
      'way',
      'way of payment name',
      ({ way, recordedAs }, _, i18n) => (recordedAs ? recordedNames(i18n)[recordedAs] : wayNames(i18n)[way]),
    ],
    ['provider', 'provider', ({ provider }) => provider],
    ['reference', 'reference', referenceOf],
    ['paid', 'paid on', ({ paidAt }, timeZone) => dayOrNull(paidAt, timeZone)],
    ['total', 'total', ({ totalAmount, currency }) => writeMoney(totalAmount, currency)],
    ['total', 'currency', ({ currency }) => currency],
    ['refunded', 'refunded', ({ refundedAmount, currency }) => writeMoney(refundedAmount, currency)],
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['titles', 'titles', ({ titles }) => titles.join('; ')],
    timeColumn('date', 'created', ({ createdAt }) => createdAt),
  ],
  read: (ctx, filters) => pagesOf(readOrderPage, orderFilterOf(ctx, filters)),
}

export const inquiries: ListExport<InquiryPageRow, z.output<typeof storeInquiryExport>> = {
  name: 'inquiries',
  columns: [
    ['title', 'subject', ({ title }) => title],
    ['title', 'number', ({ code }) => code],
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['assignee', 'assigned to', ({ assigneeName }) => assigneeName],
    ['type', 'topic', ({ type }) => type],
    ['since', 'status', ({ status }) => status],
    ['since', 'status name', ({ status }, _, i18n) => inquiryStatusNames(i18n)[status]],
    timeColumn('since', 'created', ({ createdAt }) => createdAt),
    timeColumn('since', 'last message', ({ updatedAt }) => updatedAt),
  ],
  read: (_, selection) => pagesOf(readInquiryPage, inquiryFilterOf(selection)),
}

/** Without subjects and contents, which may hold codes and links for the recipient alone. */
export const mails: ListExport<MailPageRow, z.output<typeof storeMailExport>> = {
  name: 'mails',
  columns: [
    ['to', 'recipient', ({ to }) => to],
    ['status', 'status', ({ status }) => status],
    ['status', 'status name', ({ status }, _, i18n) => mailStatusNames(i18n)[status]],
    ['template', 'about', ({ template }) => template],
    ['failure', 'attempts', ({ attempts }) => attempts],
    ['failure', 'failure', ({ failure }) => failure],
    timeColumn('date', 'created', ({ createdAt }) => createdAt),
  ],
  read: (ctx, selection) => pagesOf(readMailPage, mailFilterOf(ctx, selection)),
}

const countOpen = ({ reports }: CommentPageRow) => reports.reduce((sum, { open }) => sum + open, 0)

export const comments: ListExport<CommentPageRow, z.output<typeof commentExport>> = {
  name: 'comments',
  columns: [
    ['text', 'comment', ({ body }) => body],
    ['text', 'author', ({ author }) => author],
    ['text', 'by the store', ({ memberId }) => yesOrNo(memberId === null)],
    ['text', 'reply', ({ isReply }) => yesOrNo(isReply)],
    ['text', 'blocked word', ({ heldPhrase }) => heldPhrase],
    ['text', 'reports', ({ reports }) => reports.map(({ reason, count }) => `${reason}: ${count}`).join('; ')],
    ['text', 'undecided reports', countOpen],
    ['product', 'product', ({ product }) => product.title],
    ['product', 'product code', ({ product }) => product.code],
    ['state', 'status', ({ state }) => state],
    ['state', 'status name', ({ state }, _, i18n) => commentStateNames(i18n)[state]],
    timeColumn('date', 'created', ({ createdAt }) => createdAt),
    timeColumn('date', 'edited', ({ editedAt }) => editedAt),
  ],
  read: (ctx, selection) => pagesOf(readCommentPage, commentFilterOf(ctx, selection)),
}

export const suppressedAddresses: ListExport<SuppressedRow, z.output<typeof suppressedExport>> = {
  name: 'suppressed-addresses',
  columns: [
    ['address', 'email', ({ address }) => address],
    ['source', 'by', ({ source }) => source],
    ['source', 'by name', ({ source }, _, i18n) => suppressedByNames(i18n)[source]],
    ['reason', 'reason', ({ reason }) => reason],
    timeColumn('since', 'since', ({ createdAt }) => createdAt),
    timeColumn('until', 'tried again', ({ until }) => until),
  ],
  read: (ctx, { q }) => pagesOf(readSuppressedPage, suppressedFilterOf(ctx, q)),
}

export const videos: ListExport<LibraryRow, z.output<typeof storeVideoExport>> = {
  name: 'videos',
  columns: [
    ['video', 'video', ({ name, file, shownBy }) => name ?? file ?? shownBy[0]?.title ?? null],
    ['video', 'id', ({ id }) => id],
    ['video', 'file', ({ file }) => file],
    ['shown', 'shown by', ({ shownBy }) => shownBy.map(({ title }) => title).join('; ')],
    ['shown', 'product codes', ({ shownBy }) => [...new Set(shownBy.map((each) => each.productCode))].join('; ')],
    ['length', 'seconds', ({ durationSeconds }) => Math.round(durationSeconds)],
    ['size', 'width', ({ width }) => width],
    ['size', 'height', ({ height }) => height],
    ['bytes', 'bytes', ({ bytes }) => bytes],
    timeColumn('added', 'added', ({ createdAt }) => createdAt),
  ],
  read: (_, { q }) => pagesOf(readVideoPage, { q }),
}

export const cases: ListExport<CasePageRow, z.output<typeof caseExport>> = {
  name: 'cases',
  columns: [
    ['type', 'type', ({ type }) => type],
    ['type', 'about', ({ data }) => (typeof data.kind === 'string' ? data.kind : null)],
    ['subject', 'subject', ({ subject }) => subject],
    ['status', 'status', ({ status }) => status],
    ['status', 'status name', ({ status }, _, i18n) => caseStatusNames(i18n)[status]],
    ['member', 'email', ({ email }) => email],
    ['order', 'order', ({ order }) => order],
    timeColumn('date', 'created', ({ createdAt }) => createdAt),
    timeColumn('closed', 'closed', ({ completedAt }) => completedAt),
  ],
  read: (_, { status }) => pagesOf(readCases, { status }),
}

/** Without the bodies of the requests. */
export const deliveries: ListExport<DeliveryPageRow, z.output<typeof webhookDeliveryExport>> = {
  name: 'webhook-deliveries',
  columns: [
    ['event', 'event', ({ type }) => type],
    ['event', 'event id', ({ eventId }) => eventId],
    ['status', 'status', ({ status }) => status],
    ['status', 'status name', ({ status }, _, i18n) => deliveryStatusNames(i18n)[status]],
    ['result', 'response', ({ responseStatus }) => responseStatus],
    ['result', 'failure', ({ failure }) => failure],
    ['attempts', 'attempts', ({ attempts }) => attempts],
    timeColumn('attempts', 'next attempt', ({ status, dueAt }) => (status === 'QUEUED' ? dueAt : null)),
    timeColumn('date', 'created', ({ createdAt }) => createdAt),
  ],
  read: (_, { id, status = null }) => pagesOf(readDeliveryPage, { endpointId: id, status }),
}
