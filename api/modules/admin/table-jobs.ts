import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayMilliseconds, secondsLeft } from '#api/platform/clock.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, type Operator } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  assertPermission,
  implementProcedures,
  operatorOf,
  transact,
  transactAsOperator,
} from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type JobTable,
  jobTable,
  type TableJob,
  type TableJobKind,
  type TableJobStatus,
  tableJobDays,
  tableJobPermissions,
  tablePermissions,
} from '#contract/admin/table-jobs.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { TableJobId } from '#contract/ids.ts'
import { insertTableJob, lockTableJob, readTableJobs, type TableJobRow, updateTableJob } from './bulk-jobs.queries.ts'

// Imports and exports of tables, as the page of jobs shows them.

type EndStatus = Exclude<TableJobStatus, 'RUNNING'>

/** An import or export that is under way. */
export interface RunningTableJob {
  /**
   * Says how many rows are read so far. A table may be read more than once.
   *
   * @throws ApiError CONFLICT once it is canceled
   */
  reach: (rows: number) => void
  /**
   * Ends it as DONE in the transaction that changes the table. Whoever cancels it at this moment
   * waits for the commit, and is told that it has ended.
   *
   * @throws ApiError CONFLICT if it is canceled
   */
  finish: (tx: Ctx) => Promise<void>
  /** Ends it, once. Returns false where it was canceled before. */
  end: (status: EndStatus, problems?: number) => Promise<boolean>
  /** Aborted once it is canceled, with the error that ends its work. */
  canceled: AbortSignal
}

/**
 * Milliseconds between two writes of the progress, at least and at most. A write also tells whether
 * it is canceled, maybe in another process.
 */
const writeEvery = { first: 1_000, last: 2_000 }
/** Milliseconds after which one that reads no more rows is given up: nobody takes its file. */
const longestPause = 600_000

/**
 * Records that an import or export begins, and its progress until `end` is called. A process that
 * is killed writes no more: the job is then shown as failed.
 */
export const startTableJob = async (
  { inTransaction, log, locale }: DetachedCtx,
  by: AuditActor,
  job: { kind: TableJobKind; table: JobTable; file?: string; id?: TableJobId },
): Promise<RunningTableJob> => {
  const id = job.id ?? newId<TableJobId>()
  await inTransaction(({ db, customer, clock }) =>
    insertTableJob(db, {
      customerId: customer.id,
      id,
      kind: job.kind,
      tableName: job.table,
      fileName: job.file?.slice(0, 200) ?? null,
      actor: by,
      createdAt: clock.now().toISOString(),
    }),
  )
  const canceled = new AbortController()
  const refuse = () => new ApiError('CONFLICT', { errors: { id: [canceledText(locale, job.kind)] } })
  let [rows, written, isEnded, isFinished] = [0, 0, false, false]
  let [writtenAt, movedAt] = [performance.now(), performance.now()]
  const update = ({ db, customer, clock }: Ctx, status: TableJobStatus, problems: number) => {
    const finishedAt = status === 'RUNNING' ? null : clock.now().toISOString()
    return updateTableJob(db, customer.id, id, { status, rows, problems, finishedAt })
  }
  let writing: Promise<void> = Promise.resolve()
  const write = (status: TableJobStatus, problems = 0) => {
    written = rows
    writtenAt = performance.now()
    writing = writing
      .then(() => inTransaction((tx) => update(tx, status, problems)))
      .then((isUpdated) => {
        if (!isUpdated && !isFinished) canceled.abort(refuse())
      })
      // The import or export itself goes on.
      .catch((error: unknown) => log.warn({ err: error, tableJob: id }, 'The progress of a table was not saved'))
    return writing
  }
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - movedAt > longestPause) void end('CANCELLED')
    else if (rows !== written || now - writtenAt > writeEvery.last) void write('RUNNING')
  }, writeEvery.first)
  timer.unref()
  const end = async (status: EndStatus, problems?: number) => {
    if (isEnded) return true
    isEnded = true
    clearInterval(timer)
    await write(status, problems)
    return !canceled.signal.aborted
  }
  return {
    reach: (count) => {
      rows = Math.max(rows, count)
      movedAt = performance.now()
      canceled.signal.throwIfAborted()
    },
    finish: async (tx) => {
      isFinished = true
      if (await update(tx, 'DONE', 0)) return
      isFinished = false
      throw refuse()
    },
    end,
    canceled: canceled.signal,
  }
}

/**
 * Runs an import as a job, which ends with it: refused where `problemsOf` its answer are some.
 *
 * @throws what `work` throws, and ApiError CONFLICT if it was canceled
 */
export const runTableJob = async <Answer>(
  ctx: DetachedCtx,
  by: AuditActor,
  described: Parameters<typeof startTableJob>[2],
  work: (job: RunningTableJob) => Promise<Answer>,
  problemsOf: (answer: Answer) => number,
): Promise<Answer> => {
  const job = await startTableJob(ctx, by, described)
  try {
    const answer = await work(job)
    const problems = problemsOf(answer)
    if (!(await job.end(problems > 0 ? 'REFUSED' : 'DONE', problems))) throw job.canceled.reason
    return answer
  } catch (error) {
    await job.end('FAILED')
    throw error
  }
}

/**
 * Ends a job with the file that is sent: done, failed, or canceled by its reader or by staff, who
 * break the file.
 */
export const withTableJob = (job: RunningTableJob, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  return new ReadableStream({
    start: (controller) => {
      // Also where its reader waits: what the file holds is freed now.
      job.canceled.addEventListener('abort', () => {
        controller.error(job.canceled.reason)
        reader.cancel(job.canceled.reason).catch(() => {})
      })
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        job.reach(0)
        if (!done) return controller.enqueue(value)
        if (await job.end('DONE')) controller.close()
      } catch (error) {
        await job.end('FAILED')
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      await job.end('CANCELLED')
      await reader.cancel(reason)
    },
  })
}

const shown = 50

const viewTableJob = ({ exported, ...job }: TableJobRow, now: Date): TableJob => {
  const { status, rows: done, createdAt } = job
  const total = exported?.rows ?? null
  const isRunning = status === 'RUNNING' && total !== null
  return {
    ...job,
    total,
    secondsLeft: isRunning ? secondsLeft({ done, total, createdAt }, now) : null,
    filters: status === 'FAILED' || status === 'CANCELLED' ? (exported?.filters ?? null) : null,
  }
}

/** The imports and exports of the last days that a caller may see, the latest first. */
const listTableJobs = async ({ db, customer, clock }: Ctx, held: readonly string[]) => {
  const since = new Date(clock.now().getTime() - tableJobDays * dayMilliseconds)
  const tables = jobTable.options.filter((table) => tablePermissions(table).every((each) => held.includes(each)))
  const rows = await readTableJobs(db, customer.id, { since, tables, limit: shown })
  return { items: rows.map((row) => viewTableJob(row, clock.now())) }
}

const canceledText = (locale: Locale, kind: TableJobKind) => {
  const i18n = messagesOf(locale)
  return kind === 'EXPORT'
    ? i18n._('The export was canceled. Its file is incomplete.')
    : i18n._('The import was canceled. Nothing was changed.')
}

/**
 * Cancels an import or export that is under way, in whichever process it runs. Failures: NOT_FOUND,
 * CONFLICT (it has ended).
 *
 * @throws ApiError FORBIDDEN
 */
const cancelTableJob = async (
  ctx: Ctx,
  by: AuditActor,
  operator: Operator,
  id: TableJobId,
): Promise<TableJob | Failure> => {
  const { db, customer, clock, locale } = ctx
  const job = await lockTableJob(db, customer.id, id)
  if (!job) return failure('NOT_FOUND')
  const { kind, table, file, status, rows, problems } = job
  for (const permission of tableJobPermissions(kind, table)) assertPermission(operator, permission)
  const i18n = messagesOf(locale)
  const conflict = (text: string) => failure('CONFLICT', { errors: { id: [text] } })
  if (status === 'CANCELLED') return conflict(i18n._('It is already canceled.'))
  if (status !== 'RUNNING') return conflict(i18n._('It has ended already, so it cannot be canceled.'))
  const finishedAt = clock.now().toISOString()
  await updateTableJob(db, customer.id, id, { status: 'CANCELLED', rows, problems, finishedAt })
  const action = kind === 'EXPORT' ? 'export.cancelled' : 'import.cancelled'
  const subject = kind === 'EXPORT' ? `export:${table}` : 'catalog'
  await audit(ctx, { actor: by, action, subject, detail: { kind, table, file } })
  return viewTableJob({ ...job, status: 'CANCELLED', finishedAt }, clock.now())
}

const os = implementProcedures().admin.tableJobs

export const tableJobProcedures = {
  list: os.list.handler(({ context }) =>
    transact(context, (ctx) => listTableJobs(ctx, operatorOf(context).permissions)),
  ),
  cancel: os.cancel.handler(({ context, input }) => {
    // Staff read answers in their own language, whether or not the store has it.
    const locale = callerLocale(context)
    return transactAsOperator(context, (ctx, by) =>
      cancelTableJob({ ...ctx, locale }, by, operatorOf(context), input.id),
    )
  }),
}
