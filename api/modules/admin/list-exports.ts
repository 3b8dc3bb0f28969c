import type * as z from 'zod/mini'
import { movementColumns, movementLine } from '#api/modules/analytics/analytics-table.ts'
import { readMovementPage } from '#api/modules/analytics/sales.queries.ts'
import { movementTimes } from '#api/modules/analytics/sales.ts'
import { readExpectedDeposits, readReceivedDeposits } from '#api/modules/billing/due-orders.queries.ts'
import { readSubscriptionPage } from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import {
  subscriptionColumns,
  subscriptionFilterOf,
  subscriptionLine,
} from '#api/modules/subscriptions/subscription-view.ts'
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
import type { OrderColumn, storeOrderExport } from '#contract/admin/orders.ts'
import type { storeSubscriptionExport } from '#contract/admin/subscriptions.ts'
import type { movementExport } from '#contract/analytics.ts'
import { type MemberPageRow, type OrderPageRow, readMemberPage, readOrderPage } from './admin-lists.queries.ts'
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

const dayOrNull = (at: string | null, timeZone: string) => (at === null ? null : dayAt(new Date(at), timeZone))

/** What a column of the list is in a file. */
const orderColumns = {
  code: { names: ['order'], cells: ({ code }) => [code] },
  status: { names: ['status'], cells: ({ status }) => [status] },
  way: { names: ['way of payment', 'recorded as'], cells: ({ way, recordedAs }) => [way, recordedAs] },
  provider: { names: ['provider'], cells: ({ provider }) => [provider] },
  reference: { names: ['reference'], cells: (row) => [referenceOf(row)] },
  paid: { names: ['paid on'], cells: ({ paidAt }, timeZone) => [dayOrNull(paidAt, timeZone)] },
  total: {
    names: ['total', 'currency'],
    cells: ({ totalAmount, currency }) => [writeMoney(totalAmount, currency), currency],
  },
  refunded: { names: ['refunded'], cells: (row) => [writeMoney(row.refundedAmount, row.currency)] },
  member: { names: ['email', 'name'], cells: ({ email, name }) => [email, name] },
  titles: { names: ['titles'], cells: ({ titles }) => [titles.join('; ')] },
  date: { names: ['created'], cells: ({ createdAt }) => [new Date(createdAt).toISOString()] },
} as const satisfies Record<
  OrderColumn,
  { names: readonly string[]; cells: (row: OrderPageRow, timeZone: string) => readonly (string | null)[] }
>

/**
 * All orders that fit the filters, in their order, as CSV, with the given columns. The first is
 * always there, as in the list. The export is audited before it begins.
 */
const exportOrders = async (
  ctx: ExportCtx,
  by: AuditActor,
  filters: z.output<typeof storeOrderExport>,
): Promise<ExportedList> => {
  const name = await exported(ctx, by, 'orders', filters)
  const { timeZone } = ctx.customer.settings.base
  const chosen = filters.columns?.split(',')
  const columns = Object.entries(orderColumns).flatMap(([key, column]) =>
    !chosen || key === 'code' || chosen.includes(key) ? column : [],
  )
  const lines = readLines(
    ctx,
    ({ db, customer }, after) =>
      readOrderPage(db, customer.id, { ...orderFilterOf(ctx, filters), after, size: pageSize }),
    (row) => columns.flatMap(({ cells }) => [...cells(row, timeZone)]),
  )
  return {
    name,
    body: csvStream(
      columns.flatMap(({ names }) => [...names]),
      lines,
    ),
  }
}

const memberColumns = ['email', 'name', 'joined', 'orders', 'plan', 'partnership until', 'last seen', 'blocked', 'tags']

const timeOf = (at: string | null) => (at === null ? null : new Date(at).toISOString())

const memberLine = (row: MemberPageRow) => [
  row.email,
  row.name,
  timeOf(row.createdAt),
  row.orders,
  row.plan,
  timeOf(row.partnershipUntil),
  timeOf(row.lastSeenAt),
  timeOf(row.blockedAt),
  row.tags.join(', '),
]

/**
 * All members that fit a search, latest first, as CSV. The export is audited before it begins.
 */
const exportMembers = async (
  ctx: ExportCtx,
  by: AuditActor,
  filters: z.output<typeof storeMemberExport>,
): Promise<ExportedList> => {
  const name = await exported(ctx, by, 'members', filters)
  const lines = readLines(
    ctx,
    ({ db, customer }, after) =>
      readMemberPage(db, customer.id, { search: filters.q, tag: filters.tag ?? null, after, size: pageSize }),
    memberLine,
  )
  return { name, body: csvStream(memberColumns, lines) }
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

/** All subscriptions that fit the filters as CSV. The export is audited before it begins. */
const exportSubscriptions = async (
  ctx: ExportCtx,
  by: AuditActor,
  filters: z.output<typeof storeSubscriptionExport>,
): Promise<ExportedList> => {
  const name = await exported(ctx, by, 'subscriptions', filters)
  const filter = subscriptionFilterOf(ctx, filters)
  const lines = readLines(
    ctx,
    ({ db, customer }, after) => readSubscriptionPage(db, customer.id, { ...filter, after, size: pageSize }),
    subscriptionLine,
  )
  return { name, body: csvStream(subscriptionColumns, lines) }
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

/** Streams a list. The export is written to the audit log, although it is a GET. */
const streamList = async (
  context: ProcedureContext,
  exportList: (ctx: ExportCtx, by: AuditActor) => Promise<ExportedList | Failure>,
) => {
  const writes = writing(context)
  const ctx = { ...detachedCtx(writes), readPage: detachedCtx(fromReplica(writes)).inTransaction }
  const { name, body } = unwrap(await exportList(ctx, operatorName(context)))
  context.streamAnswer(body)
  return new File([], name, { type: csvType })
}

/** Streams what changes by itself, of the topics that the caller may read. */
const changes = os.changes.handler(({ context, input: { seconds } }) => {
  const { id: operator, permissions } = operatorOf(context)
  const topics = new Set(changeTopic.options.filter((topic) => permissions.includes(changeTopics[topic])))
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
  orders: os.orders.export.handler(({ context, input }) =>
    streamList(context, (ctx, by) => exportOrders(ctx, by, input)),
  ),
  movements: os.orders.exportMovements.handler(({ context, input }) =>
    streamList(context, (ctx, by) => exportMovements(ctx, by, input)),
  ),
  deposits: {
    expected: os.deposits.expected.handler(({ context, input }) =>
      transact(context, (ctx) => pageExpectedDeposits(ctx, input)),
    ),
    received: os.deposits.received.handler(({ context, input }) =>
      transact(context, (ctx) => pageReceivedDeposits(ctx, input)),
    ),
    export: os.deposits.export.handler(({ context, input }) =>
      streamList(context, (ctx, by) => exportDeposits(ctx, by, input)),
    ),
  },
  members: os.members.export.handler(({ context, input }) =>
    streamList(context, (ctx, by) => exportMembers(ctx, by, input)),
  ),
  subscriptions: os.subscriptions.export.handler(({ context, input }) =>
    streamList(context, (ctx, by) => exportSubscriptions(ctx, by, input)),
  ),
}
