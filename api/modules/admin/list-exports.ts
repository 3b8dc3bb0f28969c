import type * as z from 'zod/mini'
import { movementColumns, movementLine } from '#api/modules/analytics/analytics-table.ts'
import { readMovementPage } from '#api/modules/analytics/sales.queries.ts'
import { movementTimes } from '#api/modules/analytics/sales.ts'
import { readExpectedDeposits, readReceivedDeposits } from '#api/modules/billing/due-orders.queries.ts'
import {
  readSubscriptionPage,
  type SubscriptionPageRow,
} from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import { subscriptionFilterOf } from '#api/modules/subscriptions/subscription-view.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayAt } from '#api/platform/clock.ts'
import { type Ctx, type DetachedCtx, type Failure, isFailure } from '#api/platform/context.ts'
import { csvStream, writeMoney } from '#api/platform/csv/csv.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  detachedCtx,
  fromReplica,
  implementProcedures,
  operatorName,
  operatorOf,
  type ProcedureContext,
  transact,
  unwrap,
  writing,
} from '#api/platform/http/procedures.ts'
import type { KeysetPosition } from '#api/platform/keyset.ts'
import type { LiveChanges } from '#api/platform/live-changes.ts'
import { changeTopic, changeTopics, eventStreamType } from '#contract/admin/changes.ts'
import type { depositExport } from '#contract/admin/deposits.ts'
import { csvType } from '#contract/admin/lists.ts'
import type { storeMemberExport } from '#contract/admin/members.ts'
import type { storeOrderExport } from '#contract/admin/orders.ts'
import type { storeSubscriptionExport } from '#contract/admin/subscriptions.ts'
import type { movementExport } from '#contract/analytics.ts'
import { type OrderPageRow, readOrderPage } from './admin-lists.queries.ts'
import { type MemberPageRow, readMemberPage } from './member-lists.queries.ts'
import { memberFilterOf } from './store-members.ts'
import { orderFilterOf, referenceOf } from './store-orders.ts'
import {
  expectedColumns,
  expectedLine,
  pageExpectedDeposits,
  pageReceivedDeposits,
  receivedColumns,
  receivedFilterOf,
  receivedLine,
} from './waiting-work.ts'

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
type ExportColumn<Row> = readonly [
  shown: string,
  header: string,
  value: (row: Row, timeZone: string) => string | number | null,
]

/** The columns that the caller names, those of the first one always; all without a known one. */
const chosenColumns = <Row>(all: readonly ExportColumn<Row>[], names: string | undefined) => {
  const keys = new Set(names?.split(','))
  const chosen = all.filter(([shown]) => keys.has(shown))
  return chosen.length === 0 ? all : all.filter(([shown]) => shown === all[0]?.[0] || keys.has(shown))
}

/** Writes an export to the audit log, and returns the name of its file. */
const exported = async (
  ctx: DetachedCtx,
  by: AuditActor,
  list: 'orders' | 'members' | 'subscriptions' | 'movements' | 'deposits',
  filters: object,
) => {
  await ctx.inTransaction((tx) =>
    audit(tx, { actor: by, action: `${list}.exported`, subject: `export:${list}`, detail: { filters } }),
  )
  return `${list}-${dayAt(ctx.clock.now(), ctx.customer.settings.base.timeZone)}.csv`
}

interface ListExport<Row, Filters> {
  name: 'orders' | 'members' | 'subscriptions'
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
  const file = await exported(ctx, by, name, filters)
  const { timeZone } = ctx.customer.settings.base
  const columns = chosenColumns(all, filters.columns)
  const readPage = read(ctx, filters)
  const lines = readLines(
    ctx,
    (tx, after) => readPage(tx, { after, size: pageSize }),
    (row) => columns.map(([, , value]) => value(row, timeZone)),
  )
  const headers = columns.map(([, header]) => header)
  return { name: file, body: csvStream(headers, lines) }
}

const timeOf = (at: string | null) => (at === null ? null : new Date(at).toISOString())
const yesOrNo = (isSo: boolean) => (isSo ? 'yes' : 'no')

const dayOrNull = (at: string | null, timeZone: string) => (at === null ? null : dayAt(new Date(at), timeZone))

const orders: ListExport<OrderPageRow, z.output<typeof storeOrderExport>> = {
  name: 'orders',
  columns: [
    ['code', 'order', ({ code }) => code],
    ['status', 'status', ({ status }) => status],
    ['way', 'way of payment', ({ way }) => way],
    ['way', 'recorded as', ({ recordedAs }) => recordedAs],
    ['provider', 'provider', ({ provider }) => provider],
    ['reference', 'reference', referenceOf],
    ['paid', 'paid on', ({ paidAt }, timeZone) => dayOrNull(paidAt, timeZone)],
    ['total', 'total', ({ totalAmount, currency }) => writeMoney(totalAmount, currency)],
    ['total', 'currency', ({ currency }) => currency],
    ['refunded', 'refunded', ({ refundedAmount, currency }) => writeMoney(refundedAmount, currency)],
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

/** Expected or received deposits that fit the filters as CSV. The export is audited before. */
const exportDeposits = async (
  ctx: ExportCtx,
  by: AuditActor,
  input: z.output<typeof depositExport>,
): Promise<ExportedList> => {
  const name = await exported(ctx, by, 'deposits', input)
  const { list, ...filters } = input
  const expected = readLines(
    ctx,
    ({ db, customer }, after) => readExpectedDeposits(db, customer.id, { search: filters.q, after, size: pageSize }),
    expectedLine,
  )
  const received = readLines(
    ctx,
    ({ db, customer }, after) =>
      readReceivedDeposits(db, customer.id, { ...receivedFilterOf(ctx, filters), after, size: pageSize }),
    receivedLine,
  )
  const body = list === 'EXPECTED' ? csvStream(expectedColumns, expected) : csvStream(receivedColumns, received)
  return { name, body }
}

/**
 * All payments and refunds of a range of days, the earliest first, as CSV. Their sums are those of
 * the revenue. The export is audited before it begins. Fails with VALIDATION_FAILED if the range is
 * empty, too long or too early.
 */
const exportMovements = async (
  ctx: ExportCtx,
  by: AuditActor,
  filters: z.output<typeof movementExport>,
): Promise<ExportedList | Failure> => {
  const times = movementTimes(ctx, filters)
  if (isFailure(times)) return times
  const name = await exported(ctx, by, 'movements', filters)
  const { timeZone } = ctx.customer.settings.base
  const lines = readLines(
    ctx,
    ({ db, customer }, after) => readMovementPage(db, customer.id, { ...times, after, size: pageSize }),
    (row) => movementLine(row, timeZone),
  )
  return { name, body: csvStream(movementColumns, lines) }
}

const os = implementProcedures<{ liveChanges: LiveChanges }>().admin

/** Streams a file. The export is written to the audit log, although it is a GET. */
const streamFile = async (
  context: ProcedureContext,
  exportFile: (ctx: ExportCtx, by: AuditActor) => Promise<ExportedList | Failure>,
) => {
  const writes = writing(context)
  const ctx = { ...detachedCtx(writes), readPage: detachedCtx(fromReplica(writes)).inTransaction }
  const { name, body } = unwrap(await exportFile(ctx, operatorName(context)))
  context.streamAnswer(body)
  return new File([], name, { type: csvType })
}

const streamList = <Row extends { keyset: KeysetPosition }, Filters extends { columns?: string | undefined }>(
  context: ProcedureContext,
  list: ListExport<Row, Filters>,
  filters: Filters,
) => streamFile(context, (ctx, by) => exportList(ctx, by, list, filters))

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
  movements: os.orders.exportMovements.handler(({ context, input }) =>
    streamFile(context, (ctx, by) => exportMovements(ctx, by, input)),
  ),
  deposits: {
    expected: os.deposits.expected.handler(({ context, input }) =>
      transact(context, (ctx) => pageExpectedDeposits(ctx, input)),
    ),
    received: os.deposits.received.handler(({ context, input }) =>
      transact(context, (ctx) => pageReceivedDeposits(ctx, input)),
    ),
    export: os.deposits.export.handler(({ context, input }) =>
      streamFile(context, (ctx, by) => exportDeposits(ctx, by, input)),
    ),
  },
  members: os.members.export.handler(({ context, input }) => streamList(context, members, input)),
  subscriptions: os.subscriptions.export.handler(({ context, input }) => streamList(context, subscriptions, input)),
}
