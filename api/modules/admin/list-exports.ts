import type * as z from 'zod/mini'
import { type MovementRow, readMovementPage } from '#api/modules/analytics/sales.queries.ts'
import { movementTimes } from '#api/modules/analytics/sales.ts'
import { readNoticePage } from '#api/modules/content/content.queries.ts'
import { findEndpoint } from '#api/modules/webhooks/endpoints.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayAt } from '#api/platform/clock.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { csvStream } from '#api/platform/csv/csv.ts'
import { newId } from '#api/platform/db/columns.ts'
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
import { callerLocale } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { LiveChanges } from '#api/platform/live-changes.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import { changeTopic, changeTopics, eventStreamType } from '#contract/admin/changes.ts'
import { csvType, type ListCount, maxListCount } from '#contract/admin/lists.ts'
import type { movementExport } from '#contract/analytics.ts'
import type { TableJobId, WebhookEndpointId } from '#contract/ids.ts'
import { auditLog } from './audit-log.ts'
import { countSelected } from './bulk-jobs.queries.ts'
import {
  cases,
  comments,
  countedList,
  deliveries,
  type ExportColumn,
  inquiries,
  type ListExport,
  mails,
  orders,
  pagesOf,
  suppressedAddresses,
  videos,
} from './list-columns.ts'
import { members, subscriptions } from './store-members.ts'
import { movementColumns, movementLine } from './store-orders.ts'
import { productList } from './store-products.ts'
import { type RunningTableJob, startTableJob, withTableJob } from './table-jobs.ts'
import { expectedDeposits, pageExpectedDeposits, pageReceivedDeposits, receivedDeposits } from './waiting-work.ts'

/** A file that is read while it is sent. */
interface ExportedList {
  name: string
  job: RunningTableJob
  body: ReadableStream<Uint8Array>
}

/** The rows are read from a replica where there is one. */
interface ExportCtx extends DetachedCtx {
  readPage: DetachedCtx['inTransaction']
}

const pageSize = 500

/** Rows of a larger list are not counted before they are exported. */
const maxCounted = 1_000_000

type ReadPage<Row> = (tx: Ctx, page: { after: KeysetPosition | null; size: number }) => Promise<Row[]>

/**
 * Reads all rows of a list as lines, a page in each transaction, so that none stays open for
 * minutes.
 */
async function* readLines<Row extends { keyset: KeysetPosition }, Line>(
  { readPage, job }: Pick<ExportCtx, 'readPage'> & { job: RunningTableJob },
  read: ReadPage<Row>,
  lineOf: (row: Row) => Line,
): AsyncGenerator<Line[]> {
  let count = 0
  for (let after: KeysetPosition | null = null; ; ) {
    const position = after
    const rows: Row[] = await readPage((tx) => read(tx, { after: position, size: pageSize }))
    const page = rows.slice(0, pageSize)
    count += page.length
    job.reach(count)
    if (page.length > 0) yield page.map(lineOf)
    const last = page.at(-1)
    if (rows.length <= pageSize || !last) return
    after = last.keyset
  }
}

/** The columns that the caller names, those of the first one always; all without a known one. */
const chosenColumns = <Row>(all: readonly ExportColumn<Row>[], names: string | undefined) => {
  const keys = new Set(names?.split(','))
  const chosen = all.filter(([shown]) => keys.has(shown))
  return chosen.length === 0 ? all : all.filter(([shown]) => shown === all[0]?.[0] || keys.has(shown))
}

/**
 * Writes an export to the audit log, with its filters and the rows that it begins with. Returns the
 * name of its file, and its job.
 */
const exported = async <Row>(
  ctx: ExportCtx,
  by: AuditActor,
  list: ListExport<never, never>['name'] | 'movements',
  filters: object,
  read: ReadPage<Row>,
) => {
  const id = newId<TableJobId>()
  const count = await ctx
    .readPage((tx) => countSelected(tx, (counting) => read(counting, { after: null, size: maxCounted })))
    .catch((error: unknown) => {
      ctx.log.warn({ err: error, tableJob: id }, 'The rows of an export were not counted')
      return maxCounted + 1
    })
  const detail = { filters, rows: count > maxCounted ? null : count, job: id }
  await ctx.inTransaction((tx) =>
    audit(tx, { actor: by, action: `${list}.exported`, subject: `export:${list}`, detail }),
  )
  const name = `${list}-${dayAt(ctx.clock.now(), ctx.customer.settings.base.timeZone)}.csv`
  return { name, job: await startTableJob(ctx, by, { kind: 'EXPORT', table: list, id }) }
}

/** All rows that fit the filters as CSV, in the order of the list. The export is audited before. */
const exportList = async <Row extends { keyset: KeysetPosition }, Filters extends { columns?: string | undefined }>(
  ctx: ExportCtx,
  by: AuditActor,
  { name, columns: all, read }: ListExport<Row, Filters>,
  filters: Filters,
): Promise<ExportedList> => {
  const readPage = read(ctx, filters)
  const file = await exported(ctx, by, name, filters, readPage)
  const { timeZone } = ctx.customer.settings.base
  const i18n = messagesOf(ctx.locale)
  const columns = chosenColumns(all, filters.columns)
  const lines = readLines({ ...ctx, ...file }, readPage, (row) =>
    columns.map(([, , value]) => value(row, timeZone, i18n)),
  )
  const headers = columns.map(([, header]) => (typeof header === 'string' ? header : header(timeZone)))
  return { ...file, body: csvStream(headers, lines) }
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
  const read: ReadPage<MovementRow> = ({ db, customer }, page) =>
    readMovementPage(db, customer.id, { ...times, ...page })
  const file = await exported(ctx, by, 'movements', filters, read)
  const { timeZone } = ctx.customer.settings.base
  const lines = readLines({ ...ctx, ...file }, read, (row) => movementLine(row, timeZone))
  return { ...file, body: csvStream(movementColumns, lines) }
}

const os = implementProcedures<{ liveChanges: LiveChanges }>().admin

/** Streams a file. The export is written to the audit log, although it is a GET. */
const streamFile = async (
  context: ProcedureContext,
  exportFile: (ctx: ExportCtx, by: AuditActor) => Promise<ExportedList | Failure>,
) => {
  const writes = writing(context)
  const ctx = {
    ...detachedCtx(writes),
    locale: callerLocale(context),
    readPage: detachedCtx(fromReplica(writes)).inTransaction,
  }
  const { name, job, body } = unwrap(await exportFile(ctx, operatorName(context)))
  context.streamAnswer(withTableJob(job, body))
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
      input.list === 'EXPECTED'
        ? streamList(context, expectedDeposits, input)
        : streamList(context, receivedDeposits, input),
    ),
  },
  products: os.products.export.handler(({ context, input }) => streamList(context, productList, input)),
  members: os.members.export.handler(({ context, input }) => streamList(context, members, input)),
  inquiries: os.inquiries.export.handler(({ context, input }) => streamList(context, inquiries, input)),
  comments: os.comments.export.handler(({ context, input }) => streamList(context, comments, input)),
  suppressed: os.mails.exportSuppressed.handler(({ context, input }) =>
    streamList(context, suppressedAddresses, input),
  ),
  mails: os.mails.export.handler(({ context, input }) => streamList(context, mails, input)),
  audit: os.auditExport.handler(({ context, input }) =>
    streamList(context, auditLog(operatorOf(context).permissions), input),
  ),
  subscriptions: os.subscriptions.export.handler(({ context, input }) => streamList(context, subscriptions, input)),
  videos: os.videos.export.handler(({ context, input }) => streamList(context, videos, input)),
  cases: os.cases.export.handler(({ context, input }) => streamList(context, cases, input)),
}

/** @throws ApiError NOT_FOUND */
const assertEndpoint = (context: ProcedureContext, id: WebhookEndpointId) =>
  transact(context, async ({ db, customer }) => (await findEndpoint(db, customer.id, id)) ?? failure('NOT_FOUND'))

/** Counts what fits the filters of a list, as far as lists are counted. */
const countRead = (context: ProcedureContext, read: ReadPage<unknown>): Promise<ListCount> =>
  transact(fromReplica(context), async (ctx) => {
    return countedList(await countSelected(ctx, (counting) => read(counting, { after: null, size: maxListCount })))
  })

const countList = <Row, Filters>(context: ProcedureContext, list: ListExport<Row, Filters>, filters: Filters) =>
  countRead(context, list.read({ customer: context.customer, clock: context.deps.clock }, filters))

export const countProcedures = {
  orders: os.counts.orders.handler(({ context, input }) => countList(context, orders, input)),
  deposits: os.counts.deposits.handler(({ context, input }) =>
    input.list === 'EXPECTED'
      ? countList(context, expectedDeposits, input)
      : countList(context, receivedDeposits, input),
  ),
  subscriptions: os.counts.subscriptions.handler(({ context, input }) => countList(context, subscriptions, input)),
  members: os.counts.members.handler(({ context, input }) => countList(context, members, input)),
  products: os.counts.products.handler(({ context, input }) => countList(context, productList, input)),
  comments: os.counts.comments.handler(({ context, input }) => countList(context, comments, input)),
  inquiries: os.counts.inquiries.handler(({ context, input }) => countList(context, inquiries, input)),
  cases: os.counts.cases.handler(({ context, input }) => countList(context, cases, input)),
  mails: os.counts.mails.handler(({ context, input }) => countList(context, mails, input)),
  suppressed: os.counts.suppressed.handler(({ context, input }) => countList(context, suppressedAddresses, input)),
  videos: os.counts.videos.handler(({ context, input }) => countList(context, videos, input)),
  notices: os.counts.notices.handler(({ context, input: { q } }) =>
    countRead(context, pagesOf(readNoticePage, { search: q.toLowerCase() })),
  ),
  audit: os.counts.audit.handler(({ context, input }) => countList(context, auditLog([]), input)),
}

const { webhooks } = implementProcedures()

/** The deliveries of a webhook endpoint, counted and as a file. */
export const deliveryProcedures = {
  countDeliveries: webhooks.countDeliveries.handler(async ({ context, input }) => {
    await assertEndpoint(context, input.id)
    return countList(context, deliveries, input)
  }),
  exportDeliveries: webhooks.exportDeliveries.handler(async ({ context, input }) => {
    await assertEndpoint(context, input.id)
    return streamList(context, deliveries, input)
  }),
}
