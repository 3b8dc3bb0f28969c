import type { AuditActor } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Ctx, DetachedCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { implementProcedures, operatorOf, transact } from '#api/platform/http/procedures.ts'
import {
  type JobTable,
  jobTable,
  type TableJobKind,
  type TableJobStatus,
  tableJobDays,
  tablePermissions,
} from '#contract/admin/table-jobs.ts'
import type { TableJobId } from '#contract/ids.ts'
import { insertTableJob, readTableJobs, updateTableJob } from './bulk-jobs.queries.ts'

// Imports and exports of tables, as the page of jobs shows them.

type EndStatus = Exclude<TableJobStatus, 'RUNNING'>

/** An import or export that is under way. */
export interface RunningTableJob {
  /** Says how many rows are read so far. A table may be read more than once. */
  reach: (rows: number) => void
  /** Ends it, once. */
  end: (status: EndStatus, problems?: number) => Promise<void>
}

/** Milliseconds between two writes of the progress, at least and at most. */
const writeEvery = { first: 1_000, last: 10_000 }
/** Milliseconds after which one that reads no more rows is given up: nobody takes its file. */
const longestPause = 600_000

/**
 * Records that an import or export begins, and its progress until `end` is called. A process that
 * is killed writes no more: the job is then shown as failed.
 */
export const startTableJob = async (
  { inTransaction, log }: DetachedCtx,
  by: AuditActor,
  job: { kind: TableJobKind; table: JobTable; file?: string },
): Promise<RunningTableJob> => {
  const id = newId<TableJobId>()
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
  let [rows, written, isEnded] = [0, 0, false]
  let [writtenAt, movedAt] = [performance.now(), performance.now()]
  let writing: Promise<void> = Promise.resolve()
  const write = (status: TableJobStatus, problems = 0) => {
    written = rows
    writtenAt = performance.now()
    writing = writing
      .then(() =>
        inTransaction(({ db, customer, clock }) => {
          const finishedAt = status === 'RUNNING' ? null : clock.now().toISOString()
          return updateTableJob(db, customer.id, id, { status, rows, problems, finishedAt })
        }),
      )
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
    if (isEnded) return
    isEnded = true
    clearInterval(timer)
    await write(status, problems)
  }
  return {
    reach: (count) => {
      rows = Math.max(rows, count)
      movedAt = performance.now()
    },
    end,
  }
}

/**
 * Runs an import as a job, which ends with it: refused where `problemsOf` its answer are some.
 *
 * @throws what `work` throws
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
    await job.end(problems > 0 ? 'REFUSED' : 'DONE', problems)
    return answer
  } catch (error) {
    await job.end('FAILED')
    throw error
  }
}

/** Ends a job with the file that is sent: done, failed, or cancelled by its reader. */
export const withTableJob = (job: RunningTableJob, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        job.reach(0)
        if (!done) return controller.enqueue(value)
        await job.end('DONE')
        controller.close()
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

/** The imports and exports of the last days that a caller may see, the latest first. */
const listTableJobs = async ({ db, customer, clock }: Ctx, held: readonly string[]) => {
  const since = new Date(clock.now().getTime() - tableJobDays * dayMilliseconds)
  const tables = jobTable.options.filter((table) => tablePermissions(table).every((each) => held.includes(each)))
  return { items: await readTableJobs(db, customer.id, { since, tables, limit: shown }) }
}

const os = implementProcedures().admin.tableJobs

export const tableJobProcedures = {
  list: os.list.handler(({ context }) =>
    transact(context, (ctx) => listTableJobs(ctx, operatorOf(context).permissions)),
  ),
}
