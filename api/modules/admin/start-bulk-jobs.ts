import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { checkDiscount } from '#api/modules/catalog/product-options.ts'
import { endOfPartnership } from '#api/modules/identity/member-changes.ts'
import { checkAssignee } from '#api/modules/support/inquiry-assignments.ts'
import { type AuditActor, audit, changesOf, historyOf } from '#api/platform/audit.ts'
import { dayMilliseconds, secondsLeft } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type Operator } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import {
  assertPermission,
  implementProcedures,
  operatorOf,
  type ProcedureContext,
  transact,
  transactAsOperator,
} from '#api/platform/http/procedures.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type BulkJob, type BulkStart, bulkInputs, bulkJobDays, maxBulkItems } from '#contract/admin/bulk.ts'
import { type BulkJobId, bulkJobId } from '#contract/ids.ts'
import { bulkPermissions } from '#contract/permissions.ts'
import {
  announceBulkJob,
  changeBulkJob,
  findBulkJob,
  insertBulkItems,
  insertBulkJob,
  insertItemsOf,
  readBulkFailures,
  readBulkJobs,
} from './bulk-jobs.queries.ts'
import { findBulkKeys, isUndoable } from './bulk-jobs.ts'

type FoundJob = NonNullable<Awaited<ReturnType<typeof findBulkJob>>>

/** The selection of a job that tries again what failed in another one. */
const failedSelection = z.object({ failedOf: bulkJobId })

const viewJob = ({ clock }: Pick<Ctx, 'clock'>, { job, isUndone, isRetried }: FoundJob): BulkJob => {
  const { id, kind, status, total, done, changed, failed, actor, undoOf, createdAt, finishedAt } = job
  const canRetry = finishedAt !== null && failed > 0 && !isRetried && !isUndone
  const canUndo = isUndoable(kind) && finishedAt !== null && changed > 0 && undoOf === null && !isUndone
  return {
    id,
    kind,
    status,
    total,
    done,
    changed,
    failed,
    secondsLeft: finishedAt === null ? secondsLeft(job, clock.now()) : null,
    by: actor,
    undoOf,
    retryOf: failedSelection.safeParse(job.filters).data?.failedOf ?? null,
    canUndo,
    canRetry,
    createdAt,
    finishedAt,
  }
}

const subjectOf = (id: BulkJobId) => `bulk:${id}`

type KindAndChange = BulkStart extends infer Job
  ? Job extends BulkStart
    ? Pick<Job, 'kind' | 'change'>
    : never
  : never

/** Refuses a change that no object can have. */
const refuseChange = async (ctx: Ctx, { kind, change }: KindAndChange): Promise<Failure | null> => {
  const inChange = ({ errors = {}, ...refused }: Failure): Failure => ({
    ...refused,
    errors: Object.fromEntries(Object.entries(errors).map(([field, texts]) => [`change.${field}`, texts])),
  })
  if (kind === 'INQUIRIES') {
    const refused = await checkAssignee(ctx, change.assigneeId)
    return refused && inChange(refused)
  }
  if (kind === 'PRODUCTS') {
    const refused = checkDiscount(ctx, change.discount)
    return refused && inChange(refused)
  }
  if (kind !== 'PARTNERSHIPS') return null
  const end = endOfPartnership(ctx, change.until)
  return isFailure(end) ? inChange(end) : null
}

/** Refuses the change of a stored job, as `refuseChange` does when a job begins. */
const refuseStored = (ctx: Ctx, { kind, change }: FoundJob['job']): Promise<Failure | null> => {
  if (kind === 'INQUIRIES') return refuseChange(ctx, { kind, change: bulkInputs.INQUIRIES.change.parse(change) })
  if (kind === 'PRODUCTS') return refuseChange(ctx, { kind, change: bulkInputs.PRODUCTS.change.parse(change) })
  if (kind === 'PARTNERSHIPS') return refuseChange(ctx, { kind, change: bulkInputs.PARTNERSHIPS.change.parse(change) })
  return Promise.resolve(null)
}

/** Whether a stored job is the one that a caller asks for, whose parts left out are undefined. */
const isSameRequest = ({ job }: FoundJob, { kind, filters, change }: BulkStart) =>
  isDeepStrictEqual([job.kind, job.filters, job.change], JSON.parse(JSON.stringify([kind, filters, change])))

/**
 * Begins to change everything that fits filters, once for an id. Failures: VALIDATION_FAILED (the
 * change, or too many objects), CONFLICT (the id is of another job).
 */
const startBulkJob = async (
  ctx: Ctx,
  by: AuditActor,
  { id: operatorId }: Operator,
  input: BulkStart,
): Promise<BulkJob | Failure> => {
  const { db, customer, clock, locale } = ctx
  const { id, kind, filters, change } = input
  const present = await findBulkJob(db, customer.id, id)
  if (present) return isSameRequest(present, input) ? viewJob(ctx, present) : failure('CONFLICT')
  const refused = await refuseChange(ctx, input)
  if (refused) return refused
  const keys = await findBulkKeys(ctx, input, maxBulkItems + 1)
  const i18n = messagesOf(locale)
  if (keys.length > maxBulkItems)
    return invalidField('filters', i18n._('At most {count} can be changed at once.', { count: maxBulkItems }))
  const isNew = await insertBulkJob(db, {
    customerId: customer.id,
    id,
    kind,
    filters,
    change,
    actor: by,
    operatorId,
    locale,
    status: 'QUEUED',
    total: keys.length,
    createdAt: clock.now().toISOString(),
  })
  if (!isNew) return failure('CONFLICT')
  await insertBulkItems(db, { customerId: customer.id, id }, keys)
  const changes = changesOf<Record<string, unknown>>({}, change)
  const detail = { kind, filters, objects: keys.length }
  await audit(ctx, { actor: by, action: 'bulk.started', subject: subjectOf(id), changes, detail })
  return announced(ctx, id, { wakes: true })
}

/** A job as it is now. The consoles, and with `wakes` the workers, are told of it. */
const announced = async (ctx: Ctx, id: BulkJobId, { wakes = false } = {}): Promise<BulkJob | Failure> => {
  const { db, customer } = ctx
  await announceBulkJob(db, customer.id, { wakes })
  const found = await findBulkJob(db, customer.id, id)
  return found ? viewJob(ctx, found) : failure('NOT_FOUND')
}

/** Finds a job that the caller may begin. Failure: NOT_FOUND. @throws ApiError FORBIDDEN */
const findAllowed = async ({ db, customer }: Ctx, operator: Operator, id: BulkJobId, { lock = false } = {}) => {
  const found = await findBulkJob(db, customer.id, id, { lock })
  if (!found) return failure('NOT_FOUND')
  assertPermission(operator, bulkPermissions[found.job.kind])
  return found
}

/** The jobs of the last days that the caller may begin. */
const listBulkJobs = async (ctx: Ctx, { permissions }: Operator) => {
  const { db, customer, clock } = ctx
  const since = new Date(clock.now().getTime() - bulkJobDays * dayMilliseconds)
  const found = await readBulkJobs(db, customer.id, since)
  const allowed = found.filter(({ job }) => permissions.includes(bulkPermissions[job.kind]))
  return { items: allowed.map((each) => viewJob(ctx, each)) }
}

/** A job with what could not be changed. Failure: NOT_FOUND. */
const viewBulkJob = async (ctx: Ctx, operator: Operator, id: BulkJobId) => {
  const found = await findAllowed(ctx, operator, id)
  if (isFailure(found)) return found
  return {
    job: viewJob(ctx, found),
    history: await historyOf(ctx, subjectOf(id)),
    failures: await readBulkFailures(ctx.db, found.job),
  }
}

/** Stops a job after the part that is being done. Failures: NOT_FOUND, CONFLICT (finished). */
const cancelBulkJob = async (ctx: Ctx, by: AuditActor, operator: Operator, id: BulkJobId) => {
  const found = await findAllowed(ctx, operator, id, { lock: true })
  if (isFailure(found)) return found
  const { job } = found
  if (job.finishedAt !== null) return failure('CONFLICT')
  await changeBulkJob(ctx.db, job, { status: 'CANCELLED', finishedAt: ctx.clock.now().toISOString() })
  const detail = { done: job.done, objects: job.total }
  await audit(ctx, { actor: by, action: 'bulk.cancelled', subject: subjectOf(id), detail })
  return announced(ctx, id)
}

interface Following extends Pick<FoundJob['job'], 'filters' | 'undoOf'> {
  by: AuditActor
  operator: Operator
  /** Which objects of the job before are those of the new one. */
  result: 'CHANGED' | 'FAILED'
}

/** Inserts a job about objects of another one. Returns its id and their number. */
const insertFollowing = async (ctx: Ctx, before: FoundJob['job'], { by, operator, result, ...of }: Following) => {
  const { db, customer, clock, locale } = ctx
  const job = {
    ...of,
    customerId: customer.id,
    id: newId<BulkJobId>(),
    kind: before.kind,
    change: before.change,
    actor: by,
    operatorId: operator.id,
    locale,
    status: 'QUEUED' as const,
    total: 0,
    createdAt: clock.now().toISOString(),
  }
  await insertBulkJob(db, job)
  const total = await insertItemsOf(db, job, { of: before.id, result })
  await changeBulkJob(db, job, { total })
  return { id: job.id, total }
}

/** Begins a job that undoes another, once. Failures: NOT_FOUND, CONFLICT. */
const undoBulkJob = async (ctx: Ctx, by: AuditActor, operator: Operator, id: BulkJobId) => {
  const found = await findAllowed(ctx, operator, id, { lock: true })
  if (isFailure(found)) return found
  if (!viewJob(ctx, found).canUndo) return failure('CONFLICT')
  const { kind } = found.job
  // The undo of a retry is not a retry itself.
  const filters = failedSelection.safeParse(found.job.filters).success ? {} : found.job.filters
  const undo = await insertFollowing(ctx, found.job, { by, operator, result: 'CHANGED', filters, undoOf: id })
  const detail = { kind, objects: undo.total }
  await audit(ctx, { actor: by, action: 'bulk.undone', subject: subjectOf(id), detail })
  return announced(ctx, undo.id, { wakes: true })
}

/**
 * Begins a job that makes the same change of what failed in another, as it is now. Failures:
 * NOT_FOUND, CONFLICT, VALIDATION_FAILED (no object can have the change any more).
 */
const retryBulkJob = async (ctx: Ctx, by: AuditActor, operator: Operator, id: BulkJobId) => {
  const found = await findAllowed(ctx, operator, id, { lock: true })
  if (isFailure(found)) return found
  if (!viewJob(ctx, found).canRetry) return failure('CONFLICT')
  const { kind, change, undoOf } = found.job
  const refused = undoOf === null && (await refuseStored(ctx, found.job))
  if (refused) return refused
  const filters = { failedOf: id }
  const retry = await insertFollowing(ctx, found.job, { by, operator, result: 'FAILED', filters, undoOf })
  const detail = { kind, objects: retry.total }
  await audit(ctx, { actor: by, action: 'bulk.retried', subject: subjectOf(id), detail })
  const changes = changesOf<Record<string, unknown>>({}, undoOf === null ? change : {})
  await audit(ctx, { actor: by, action: 'bulk.started', subject: subjectOf(retry.id), changes, detail })
  return announced(ctx, retry.id, { wakes: true })
}

const os = implementProcedures().admin.bulk

const allowed = (context: ProcedureContext, kind: BulkStart['kind']) => {
  const operator = operatorOf(context)
  assertPermission(operator, bulkPermissions[kind])
  return operator
}

export const bulkProcedures = {
  count: os.count.handler(({ context, input }) => {
    allowed(context, input.kind)
    return transact(context, async (ctx) => ({ count: (await findBulkKeys(ctx, input, maxBulkItems + 1)).length }))
  }),
  start: os.start.handler(({ context, input }) => {
    const operator = allowed(context, input.kind)
    return transactAsOperator(context, (ctx, by) => startBulkJob(ctx, by, operator, input))
  }),
  list: os.list.handler(({ context }) => transact(context, (ctx) => listBulkJobs(ctx, operatorOf(context)))),
  get: os.get.handler(({ context, input }) =>
    transact(context, (ctx) => viewBulkJob(ctx, operatorOf(context), input.id)),
  ),
  cancel: os.cancel.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => cancelBulkJob(ctx, by, operatorOf(context), input.id)),
  ),
  undo: os.undo.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => undoBulkJob(ctx, by, operatorOf(context), input.id)),
  ),
  retry: os.retry.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => retryBulkJob(ctx, by, operatorOf(context), input.id)),
  ),
}
