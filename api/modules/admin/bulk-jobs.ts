import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { changeProductOfMany, restoreProductOfMany } from '#api/modules/catalog/product-actions.ts'
import { changePartnerships, changeTags, restorePartnerships } from '#api/modules/identity/member-changes.ts'
import { livePermissionsOfToken } from '#api/modules/identity/operator-tokens.ts'
import { findMailIds, resendMails } from '#api/modules/mail/mails.ts'
import { permissionsOfStaff } from '#api/modules/staff/staff-roles.ts'
import { assignInquiries, mailAssigned } from '#api/modules/support/inquiry-assignments.ts'
import { findInquiryCodes } from '#api/modules/support/staff-inquiries.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import { type Clock, type Ctx, type Customer, type EventHandlers, isFailure } from '#api/platform/context.ts'
import { isDatabaseUnavailable, withTenant } from '#api/platform/db/client.ts'
import { followWork } from '#api/platform/db/connections.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import { type BulkKind, type BulkSelection, bulkInputs } from '#contract/admin/bulk.ts'
import { partnershipRestore } from '#contract/admin/members.ts'
import { storeProductBefore } from '#contract/admin/product-bulk.ts'
import { inquiryCode, mailId, memberId, productCode, type StaffId, staffId } from '#contract/ids.ts'
import { bulkPermissions } from '#contract/permissions.ts'
import {
  announceBulkJob,
  type BulkJobRow,
  type BulkOutcome,
  bulkChannel,
  changeBulkJob,
  readBulkItems,
  readUnfinishedJobs,
  saveBulkOutcomes,
  takeBulkJob,
} from './bulk-jobs.queries.ts'
import { readMemberIds } from './member-lists.queries.ts'
import { memberFilterOf } from './store-members.ts'
import { findProductCodes } from './store-products.ts'

interface BulkDeps {
  pool: pg.Pool
  clock: Clock
  log: Logger
  events: EventHandlers
  mailTemplates: readonly MailTemplate<unknown>[]
  jobsDatabaseUrl: string
}

type Item = Awaited<ReturnType<typeof readBulkItems>>[number]

/** The transaction of a part of a job, and what it is about. */
interface Part {
  ctx: Ctx
  by: AuditActor
  deps: BulkDeps
  /** The change of the job, as `bulkInputs` reads it. */
  change: unknown
}

/** How the objects of one kind are changed. The outcomes are in the order of the items. */
interface BulkWork {
  change: (part: Part, items: readonly Item[]) => Promise<BulkOutcome[]>
  /** Restores what `before` of the items says, which none lacks, unless it was changed since. */
  restore?: (part: Part, items: readonly Item[]) => Promise<BulkOutcome[]>
  /** After the last part. */
  finish?: (part: Part, job: BulkJobRow) => Promise<void>
}

const failedAll = (items: readonly Item[], { failure: reason }: { failure: string }): BulkOutcome[] =>
  items.map(() => ({ result: 'FAILED', reason }))

const tagRestore = z.object({ added: z.array(z.string()), removed: z.array(z.string()) })

const changeTagsOf = async ({ ctx, by }: Part, item: Item, add: string[], remove: string[]): Promise<BulkOutcome> => {
  const { items } = await changeTags(ctx, by, { ids: [memberId.parse(item.key)], add, remove })
  const [{ result, reason, added, removed } = { result: 'FAILED' as const, reason: 'NOT_FOUND' as const }] = items
  return { result, reason, ...(result === 'CHANGED' && { before: { added, removed } }) }
}

const partnershipOutcomes = (answer: Awaited<ReturnType<typeof changePartnerships>>, items: readonly Item[]) =>
  isFailure(answer)
    ? failedAll(items, answer)
    : answer.items.map(({ result, reason, change }): BulkOutcome => ({ result, reason, before: change }))

/** Assigns without an email for each part: the person gets one at the end. */
const assign = async (
  { ctx, by }: Part,
  items: readonly Item[],
  assigneeId: StaffId | null,
  onlyFrom?: StaffId | null,
) => {
  const codes = items.map(({ key }) => inquiryCode.parse(key))
  const answer = await assignInquiries(ctx, by, { codes, assigneeId, onlyFrom, mails: false })
  if (isFailure(answer)) return failedAll(items, answer)
  return answer.items.map(({ result, formerId }): BulkOutcome => {
    if (result === 'CHANGED' || result === 'UNCHANGED') return { result, reason: null, before: { formerId } }
    return { result: 'FAILED', reason: result }
  })
}

const inOrder = async (items: readonly Item[], work: (item: Item) => Promise<BulkOutcome>) => {
  const outcomes: BulkOutcome[] = []
  for (const item of items) outcomes.push(await work(item))
  return outcomes
}

const works: Record<BulkKind, BulkWork> = {
  PRODUCTS: {
    change: ({ ctx, by, change }, items) =>
      inOrder(items, ({ key }) =>
        changeProductOfMany(ctx, by, productCode.parse(key), bulkInputs.PRODUCTS.change.parse(change)),
      ),
    restore: ({ ctx, by }, items) =>
      inOrder(items, ({ before }) => restoreProductOfMany(ctx, by, storeProductBefore.parse(before))),
  },
  MEMBER_TAGS: {
    change: (part, items) => {
      const { add, remove } = bulkInputs.MEMBER_TAGS.change.parse(part.change)
      return inOrder(items, (item) => changeTagsOf(part, item, add, remove))
    },
    restore: (part, items) =>
      inOrder(items, (item) => {
        const { added, removed } = tagRestore.parse(item.before)
        return changeTagsOf(part, item, removed, added)
      }),
  },
  PARTNERSHIPS: {
    change: async ({ ctx, by, change }, items) => {
      const ids = items.map(({ key }) => memberId.parse(key))
      const fields = bulkInputs.PARTNERSHIPS.change.parse(change)
      return partnershipOutcomes(await changePartnerships(ctx, by, { ids, ...fields }), items)
    },
    restore: async ({ ctx, by }, items) => {
      const changed = partnershipRestore.shape.items.parse(items.map(({ before }) => before))
      return partnershipOutcomes(await restorePartnerships(ctx, by, changed), items)
    },
  },
  INQUIRIES: {
    change: (part, items) => assign(part, items, bulkInputs.INQUIRIES.change.parse(part.change).assigneeId),
    restore: (part, items) => {
      const { assigneeId } = bulkInputs.INQUIRIES.change.parse(part.change)
      return inOrder(items, async (item) => {
        const { formerId } = z.object({ formerId: z.nullable(staffId) }).parse(item.before)
        const [outcome] = await assign(part, [item], formerId, assigneeId)
        return outcome ?? { result: 'FAILED', reason: 'NOT_FOUND' }
      })
    },
    finish: async ({ ctx, by, change }, { changed, undoOf }) => {
      const { assigneeId } = bulkInputs.INQUIRIES.change.parse(change)
      if (undoOf === null && changed > 0) await mailAssigned(ctx, by, { assigneeId, count: changed })
    },
  },
  MAILS: {
    change: ({ ctx, by, deps }, items) =>
      inOrder(items, async ({ key }) => {
        const answer = await resendMails(ctx, by, mailId.parse(key), deps.mailTemplates)
        // It was sent, or is queued, meanwhile.
        if (isFailure(answer) && answer.failure === 'CONFLICT') return { result: 'UNCHANGED', reason: null }
        if (isFailure(answer)) return { result: 'FAILED', reason: answer.failure }
        return answer.queued > 0 ? { result: 'CHANGED', reason: null } : { result: 'FAILED', reason: 'EXPIRED' }
      }),
  },
}

/** Restores items, without those of members who have been erased since the undo began. */
const restoreKnown = async ({ restore }: BulkWork, part: Part, items: readonly Item[]) => {
  const known = items.filter(({ before }) => before !== null)
  const restored = known.length > 0 ? await restore?.(part, known) : []
  return items.map((item): BulkOutcome => restored?.[known.indexOf(item)] ?? { result: 'FAILED', reason: 'NOT_FOUND' })
}

/** Whether what a job of a kind has done can be undone. */
export const isUndoable = (kind: BulkKind): boolean => works[kind].restore !== undefined

/** The ids or codes of what fits filters, in the order of the list, at most `limit`. */
export const findBulkKeys = async (ctx: Ctx, selection: BulkSelection, limit: number): Promise<readonly string[]> => {
  const { kind, filters } = selection
  if (kind === 'PRODUCTS') return findProductCodes(ctx, filters, limit)
  if (kind === 'INQUIRIES') return findInquiryCodes(ctx, filters, limit)
  if (kind === 'MAILS') return findMailIds(ctx, filters, limit)
  // Nothing is left of a deleted account that could be changed.
  if (filters.state === 'LEFT') return []
  return readMemberIds(ctx.db, ctx.customer.id, memberFilterOf(ctx, filters), limit)
}

/** Whether whoever began a job may still do what it does. */
const isAllowed = async (ctx: Ctx, { kind, actor, operatorId }: BulkJobRow) => {
  const held = actor.startsWith('staff:')
    ? await permissionsOfStaff(ctx, operatorId)
    : await livePermissionsOfToken(ctx, operatorId)
  return held.includes(bulkPermissions[kind])
}

const partSize = 25

type PartResult = 'MORE' | 'FINISHED' | 'TAKEN'

/**
 * Does the next part of a job in one transaction, so that each object is changed once, also if the
 * process ends meanwhile. `failing`: its first object has failed by itself, and is passed over.
 */
const doPart = async (
  deps: BulkDeps,
  customer: Customer,
  id: BulkJobRow['id'],
  { size, failing = false }: { size: number; failing?: boolean },
): Promise<PartResult> => {
  const { clock, events } = deps
  const requestId = randomUUID()
  const log = deps.log.child({ requestId, customer: customer.code, bulkJob: id })
  return withTenant(deps.pool, customer.id, async (db) => {
    const job = await takeBulkJob(db, customer.id, id)
    if (!job) return 'TAKEN'
    const ctx: Ctx = {
      customer,
      locale: job.locale,
      actor: { kind: 'GUEST', guestId: null },
      db,
      clock,
      log,
      requestId,
      events,
    }
    const part: Part = { ctx, by: job.actor, deps, change: job.change }
    const work = works[job.kind]
    const finish = async (status: 'DONE' | 'REFUSED') => {
      if (status === 'DONE') await work.finish?.(part, job)
      await changeBulkJob(db, job, { status, finishedAt: clock.now().toISOString() })
      await announceBulkJob(db, customer.id)
      return 'FINISHED' as const
    }
    if (!(await isAllowed(ctx, job))) return finish('REFUSED')
    const items = await readBulkItems(db, job, size)
    if (items.length === 0) return finish('DONE')
    const change = () => (job.undoOf === null ? work.change(part, items) : restoreKnown(work, part, items))
    const outcomes = failing ? failedAll(items, { failure: 'INTERNAL' }) : await change()
    await saveBulkOutcomes(db, job, outcomes)
    await announceBulkJob(db, customer.id)
    return 'MORE'
  })
}

/**
 * Does a part; where that fails, each of its objects by itself, and passes over those that fail.
 */
const doPartSafely = async (deps: BulkDeps, customer: Customer, id: BulkJobRow['id']): Promise<PartResult> => {
  try {
    return await doPart(deps, customer, id, { size: partSize })
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    let result: PartResult = 'MORE'
    for (let at = 0; at < partSize && result === 'MORE'; at++)
      try {
        result = await doPart(deps, customer, id, { size: 1 })
      } catch (alone) {
        if (isDatabaseUnavailable(alone)) throw alone
        deps.log.error({ err: alone, customer: customer.code, bulkJob: id }, 'An object of many could not be changed')
        result = await doPart(deps, customer, id, { size: 1, failing: true })
      }
    return result
  }
}

/** Does the jobs of a store, the oldest first, until all are finished or `signal` stops it. */
export const runBulkJobs = async (deps: BulkDeps, customer: Customer, signal?: AbortSignal): Promise<void> => {
  const jobs = await withTenant(deps.pool, customer.id, (db) => readUnfinishedJobs(db, customer.id))
  for (const { id } of jobs) {
    let result: PartResult = 'MORE'
    while (result === 'MORE' && !signal?.aborted) result = await doPartSafely(deps, customer, id)
  }
}

/** Wakes the workers if a store has unfinished jobs: a process may have ended amid one. */
export const wakeBulkJobs = ({ pool }: Pick<BulkDeps, 'pool'>, { id }: Customer): Promise<void> =>
  withTenant(pool, id, async (db) => {
    if ((await readUnfinishedJobs(db, id)).length > 0) await announceBulkJob(db, id, { wakes: true })
  })

/** Does each job as soon as it is committed. The sweep wakes it for what another process left. */
export const startBulkJobs = (deps: BulkDeps): AsyncDisposable => {
  const stop = new AbortController()
  const failed = 'Changes of many could not be made; the next scheduled run goes on'
  const worker = followWork(deps, { channel: bulkChannel, name: 'marquee-bulk', failed }, async (id) => {
    const customer = await readCustomer(deps.pool, id)
    if (customer) await runBulkJobs(deps, customer, stop.signal)
  })
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await worker[Symbol.asyncDispose]()
    },
  }
}
