import type * as z from 'zod/mini'
import { type MailPageRow, readMailPage } from '#api/modules/mail/mail.queries.ts'
import { mailFilterOf } from '#api/modules/mail/mails.ts'
import {
  readSubscriptionPage,
  type SubscriptionPageRow,
} from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import { subscriptionFilterOf } from '#api/modules/subscriptions/subscription-view.ts'
import { type InquiryPageRow, readInquiryPage } from '#api/modules/support/staff-inquiries.queries.ts'
import { inquiryFilterOf } from '#api/modules/support/staff-inquiries.ts'
import { type AuditActor, audit, listAuditPage } from '#api/platform/audit.ts'
import { dayAt } from '#api/platform/clock.ts'
import type { Ctx, DetachedCtx } from '#api/platform/context.ts'
import { csvStream, writeMoney } from '#api/platform/csv/csv.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  fromReplica,
  implementProcedures,
  operatorName,
  operatorOf,
  type ProcedureContext,
  writing,
} from '#api/platform/http/procedures.ts'
import type { KeysetPosition } from '#api/platform/keyset.ts'
import type { LiveChanges } from '#api/platform/live-changes.ts'
import type { AuditPageRow } from '#api/platform/platform.queries.ts'
import type { auditExport } from '#contract/admin/audit.ts'
import { changeTopic, changeTopics, eventStreamType } from '#contract/admin/changes.ts'
import type { storeInquiryExport } from '#contract/admin/inquiries.ts'
import { csvType } from '#contract/admin/lists.ts'
import type { storeMailExport } from '#contract/admin/mails.ts'
import type { storeMemberExport } from '#contract/admin/members.ts'
import type { storeOrderExport } from '#contract/admin/orders.ts'
import type { storeSubscriptionExport } from '#contract/admin/subscriptions.ts'
import { type OrderPageRow, readOrderPage } from './admin-lists.queries.ts'
import { type MemberPageRow, readMemberPage } from './member-lists.queries.ts'
import { memberFilterOf } from './store-members.ts'
import { auditFilterOf, orderFilterOf } from './store-orders.ts'

/** A file that is read while it is sent. */
interface ExportedList {
  name: string
  body: ReadableStream<Uint8Array>
}

/** The rows are read from a replica where there is one. */
interface ExportCtx extends DetachedCtx {
  readPage: DetachedCtx['inTransaction']
}

const pageSize = 500

/**
 * Reads all rows of a list as lines, a page in each transaction, so that none stays open for
 * minutes.
 */
async function* readLines<Row extends { keyset: KeysetPosition }, Line>(
  ctx: ExportCtx,
  read: (tx: Ctx, after: KeysetPosition | null) => Promise<Row[]>,
  lineOf: (row: Row) => Line,
): AsyncGenerator<Line[]> {
  for (let after: KeysetPosition | null = null; ; ) {
    const position = after
    const rows: Row[] = await ctx.readPage((tx) => read(tx, position))
    const page = rows.slice(0, pageSize)
    if (page.length > 0) yield page.map(lineOf)
    const last = page.at(-1)
    if (rows.length <= pageSize || !last) return
    after = last.keyset
  }
}

/** A column of a file. `shown` is the column of the console’s list that it belongs to. */
type ExportColumn<Row> = readonly [shown: string, header: string, value: (row: Row) => string | number | null]

/** The columns that the caller names, those of the first one always; all without a known one. */
const chosenColumns = <Row>(all: readonly ExportColumn<Row>[], names: string | undefined) => {
  const keys = new Set(names?.split(','))
  const chosen = all.filter(([shown]) => keys.has(shown))
  return chosen.length === 0 ? all : all.filter(([shown]) => shown === all[0]?.[0] || keys.has(shown))
}

interface ListExport<Row, Filters> {
  name: 'orders' | 'members' | 'subscriptions' | 'inquiries' | 'mails' | 'audit'
  columns: readonly ExportColumn<Row>[]
  /** Reads one row more than `size`. */
  read: (ctx: Pick<Ctx, 'customer' | 'clock'>, filters: Filters) => (tx: Ctx, page: Page) => Promise<Row[]>
}

interface Page {
  after: KeysetPosition | null
  size: number
}

/** All rows that fit the filters as CSV, in the order of the list. The export is audited before. */
const exportList = async <Row extends { keyset: KeysetPosition }, Filters extends { columns?: string | undefined }>(
  ctx: ExportCtx,
  by: AuditActor,
  { name, columns: all, read }: ListExport<Row, Filters>,
  filters: Filters,
): Promise<ExportedList> => {
  await ctx.inTransaction((tx) =>
    audit(tx, { actor: by, action: `${name}.exported`, subject: `export:${name}`, detail: { filters } }),
  )
  const columns = chosenColumns(all, filters.columns)
  const readPage = read(ctx, filters)
  const lines = readLines(
    ctx,
    (tx, after) => readPage(tx, { after, size: pageSize }),
    (row) => columns.map(([, , value]) => value(row)),
  )
  const day = dayAt(ctx.clock.now(), ctx.customer.settings.base.timeZone)
  const headers = columns.map(([, header]) => header)
  return { name: `${name}-${day}.csv`, body: csvStream(headers, lines) }
}

const timeOf = (at: string | null) => (at === null ? null : new Date(at).toISOString())
const yesOrNo = (isSo: boolean) => (isSo ? 'yes' : 'no')

const orders: ListExport<OrderPageRow, z.output<typeof storeOrderExport>> = {
  name: 'orders',
  columns: [
    ['code', 'order', ({ code }) => code],
    ['status', 'status', ({ status }) => status],
    ['method', 'method', ({ method }) => method],
    ['total', 'total', ({ totalAmount, currency }) => writeMoney(totalAmount, currency)],
    ['total', 'refunded', ({ refundedAmount, currency }) => writeMoney(refundedAmount, currency)],
    ['total', 'currency', ({ currency }) => currency],
    ['total', 'complimentary', ({ complimentary }) => yesOrNo(complimentary)],
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['titles', 'titles', ({ titles }) => titles.join('; ')],
    ['date', 'created', ({ createdAt }) => timeOf(createdAt)],
  ],
  read: (ctx, filters) => {
    const filter = orderFilterOf(ctx, filters)
    return ({ db, customer }, page) => readOrderPage(db, customer.id, { ...filter, ...page })
  },
}

const members: ListExport<MemberPageRow, z.output<typeof storeMemberExport>> = {
  name: 'members',
  columns: [
    ['email', 'email', ({ email }) => email],
    ['name', 'name', ({ name }) => name],
    ['joined', 'joined', ({ createdAt }) => timeOf(createdAt)],
    ['orders', 'orders', ({ orders: count }) => count],
    ['plan', 'plan', ({ plan }) => plan],
    ['plan', 'partnership', ({ partnershipName }) => partnershipName],
    ['plan', 'partnership until', ({ partnershipUntil }) => timeOf(partnershipUntil)],
    ['seen', 'last seen', ({ lastSeenAt }) => timeOf(lastSeenAt)],
    ['name', 'blocked', ({ blockedAt }) => timeOf(blockedAt)],
    ['name', 'deleted', ({ withdrawnAt }) => timeOf(withdrawnAt)],
    ['marketing', 'marketing', ({ marketing }) => yesOrNo(marketing)],
    ['tags', 'tags', ({ tags }) => tags.join(', ')],
  ],
  read: (ctx, { sort, ...selection }) => {
    const filter = { ...memberFilterOf(ctx, selection), sort }
    return ({ db, customer }, page) => readMemberPage(db, customer.id, { ...filter, ...page })
  },
}

const subscriptions: ListExport<SubscriptionPageRow, z.output<typeof storeSubscriptionExport>> = {
  name: 'subscriptions',
  columns: [
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['plan', 'plan', ({ plan }) => plan],
    ['state', 'state', ({ state }) => state],
    ['price', 'cycle', ({ cycle }) => cycle],
    ['price', 'price', ({ priceAmount, currency }) => writeMoney(priceAmount, currency)],
    ['price', 'currency', ({ currency }) => currency],
    ['since', 'started', ({ startedAt }) => timeOf(startedAt)],
    ['next', 'next charge', ({ nextChargeAt }) => timeOf(nextChargeAt)],
    [
      'next',
      'next amount',
      ({ nextChargeAt, nextPriceAmount, currency }) =>
        nextChargeAt === null ? null : writeMoney(nextPriceAmount, currency),
    ],
    ['next', 'ends', ({ endsAt }) => timeOf(endsAt)],
    ['failed', 'failed attempts', ({ attempts }) => attempts],
    ['failed', 'failure', ({ failure }) => failure],
    ['failed', 'access until', ({ graceUntil }) => timeOf(graceUntil)],
  ],
  read: (ctx, filters) => {
    const filter = subscriptionFilterOf(ctx, filters)
    return ({ db, customer }, page) => readSubscriptionPage(db, customer.id, { ...filter, ...page })
  },
}

const inquiries: ListExport<InquiryPageRow, z.output<typeof storeInquiryExport>> = {
  name: 'inquiries',
  columns: [
    ['title', 'subject', ({ title }) => title],
    ['title', 'number', ({ code }) => code],
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['assignee', 'assigned to', ({ assigneeName }) => assigneeName],
    ['type', 'topic', ({ type }) => type],
    ['since', 'status', ({ status }) => status],
    ['since', 'created', ({ createdAt }) => timeOf(createdAt)],
    ['since', 'last message', ({ updatedAt }) => timeOf(updatedAt)],
  ],
  read: (_, selection) => {
    const filter = inquiryFilterOf(selection)
    return ({ db, customer }, page) => readInquiryPage(db, customer.id, { ...filter, ...page })
  },
}

/** Without subjects and contents, which may hold codes and links for the recipient alone. */
const mails: ListExport<MailPageRow, z.output<typeof storeMailExport>> = {
  name: 'mails',
  columns: [
    ['to', 'recipient', ({ to }) => to],
    ['status', 'status', ({ status }) => status],
    ['template', 'about', ({ template }) => template],
    ['failure', 'attempts', ({ attempts }) => attempts],
    ['failure', 'failure', ({ failure }) => failure],
    ['date', 'created', ({ createdAt }) => timeOf(createdAt)],
  ],
  read: (ctx, selection) => {
    const filter = mailFilterOf(ctx, selection)
    return ({ db, customer }, page) => readMailPage(db, customer.id, { ...filter, ...page })
  },
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const auditLog: ListExport<AuditPageRow, z.output<typeof auditExport>> = {
  name: 'audit',
  columns: [
    ['action', 'action', ({ action }) => action],
    ['actor', 'actor', ({ actor }) => actor],
    ['subject', 'object', ({ subject }) => subject],
    [
      'changes',
      'changes',
      ({ changes: fields }) =>
        Object.entries(fields)
          .map(([field, { from, to }]) => `${field}: ${textOf(from)} → ${textOf(to)}`)
          .join('; '),
    ],
    ['date', 'date', ({ at }) => timeOf(at)],
  ],
  read: (ctx, filters) => {
    const filter = auditFilterOf(ctx, filters)
    return (tx, page) => listAuditPage(tx, { ...filter, ...page })
  },
}

const os = implementProcedures<{ liveChanges: LiveChanges }>().admin

/** Streams a list. The export is written to the audit log, although it is a GET. */
const streamList = async <Row extends { keyset: KeysetPosition }, Filters extends { columns?: string | undefined }>(
  context: ProcedureContext,
  list: ListExport<Row, Filters>,
  filters: Filters,
) => {
  const writes = writing(context)
  const ctx = { ...detachedCtx(writes), readPage: detachedCtx(fromReplica(writes)).inTransaction }
  const { name, body } = await exportList(ctx, operatorName(context), list, filters)
  context.streamAnswer(body)
  return new File([], name, { type: csvType })
}

/** Streams what changes by itself, of the topics that the caller may read. */
const changes = os.changes.handler(({ context, input: { seconds } }) => {
  const { id: operator, permissions } = operatorOf(context)
  const topics = new Set(
    changeTopic.options.filter((topic) => changeTopics[topic].some((each) => permissions.includes(each))),
  )
  if (topics.size === 0) throw new ApiError('FORBIDDEN')
  const body = context.deps.liveChanges.open(context.customer.id, { operator, topics, seconds })
  if (!body) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: 60 })
  context.streamAnswer(body)
  // nginx would collect the events.
  context.answerHeaders.set('x-accel-buffering', 'no')
  return new File([], 'changes', { type: eventStreamType })
})

export const listExportProcedures = {
  changes,
  orders: os.orders.export.handler(({ context, input }) => streamList(context, orders, input)),
  members: os.members.export.handler(({ context, input }) => streamList(context, members, input)),
  inquiries: os.inquiries.export.handler(({ context, input }) => streamList(context, inquiries, input)),
  mails: os.mails.export.handler(({ context, input }) => streamList(context, mails, input)),
  audit: os.auditExport.handler(({ context, input }) => streamList(context, auditLog, input)),
  subscriptions: os.subscriptions.export.handler(({ context, input }) => streamList(context, subscriptions, input)),
}
