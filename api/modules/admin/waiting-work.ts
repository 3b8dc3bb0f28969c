import type pg from 'pg'
import type * as z from 'zod/mini'
import { lowConversion, salesBetween } from '#api/modules/analytics/sales.ts'
import {
  type ExpectedDepositRow,
  type ReceivedDepositFilter,
  type ReceivedDepositRow,
  readExpectedDeposits,
  readReceivedDeposits,
} from '#api/modules/billing/due-orders.queries.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { enteredReference, manualProvider } from '#api/modules/billing/payments.queries.ts'
import { decryptAccount } from '#api/modules/billing/refund-states.ts'
import { caseOfReference } from '#api/modules/billing/unapplied-payments.queries.ts'
import { commentsToReview } from '#api/modules/engagement/moderation.ts'
import { readMailErrorGroups } from '#api/modules/mail/mail.queries.ts'
import { readMailServer } from '#api/modules/mail/send-mails.queries.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { dayAfter, dayAt, startOfDay, weekBefore } from '#api/platform/clock.ts'
import { type Ctx, type Failure, isFailure } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { type FailingJob, readFailingJobs } from '#api/platform/db/job-queues.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { depositExport, MoneyToReturn } from '#contract/admin/deposits.ts'
import { type Home, homePermissions } from '#contract/admin/home.ts'
import type { Permission } from '#contract/permissions.ts'
import { countWaiting, readRefundsByStaff, readUnappliedPayments } from './admin-lists.queries.ts'
import { type ListExport, pagesOf, timeColumn } from './list-columns.ts'
import { buyerOf } from './store-orders.ts'

/**
 * Returns the background jobs of all stores that failed or wait for a retry, latest first, and then
 * the mails of each store, a row per reason.
 */
export const listFailingJobs = async (pool: pg.Pool): Promise<FailingJob[]> => {
  const failing = await readFailingJobs(pool)
  for (const { id, code } of await readTenants(pool))
    for (const trouble of await withTenant(pool, id, (db) => readMailErrorGroups(db, id)))
      failing.push({
        customer: code,
        task: 'mails',
        state: trouble.status === 'FAILED' ? 'failed' : 'retry',
        tries: trouble.attempts,
        since: trouble.since,
        failure: `${trouble.mails} × ${trouble.failure}`,
      })
  return failing
}

/**
 * Returns today's figures up to now, those of the same part of the day a week ago, and what waits
 * for a person, without what the caller may not read. Days are in the store's time zone.
 */
export const getHome = async (ctx: Ctx, held: readonly Permission[]): Promise<Home> => {
  const { db, customer, clock } = ctx
  const { timeZone, currency } = customer.settings.base
  const now = clock.now()
  const may = (part: keyof typeof homePermissions) => held.includes(homePermissions[part])
  const figuresOf = async (until: Date) => {
    if (!may('figures')) return null
    const since = startOfDay(dayAt(until, timeZone), timeZone)
    // What happened in this millisecond counts.
    const { orders, revenue, members } = await salesBetween(ctx, { since, until: new Date(until.getTime() + 1) })
    return { orders, revenue: { amount: revenue, currency }, members }
  }
  const counts = await countWaiting(db, customer.id)
  const comments = await commentsToReview(ctx)
  const count = (part: keyof typeof counts) => (may(part) ? counts[part] : null)
  const server = may('mailServer') ? await readMailServer(db, customer.id) : null
  return {
    day: dayAt(now, timeZone),
    today: await figuresOf(now),
    weekAgo: await figuresOf(weekBefore(now, timeZone)),
    waiting: {
      refundRequests: count('refundRequests'),
      refundsToTransfer: count('refundsToTransfer'),
      unappliedPayments: count('unappliedPayments'),
      deposits: count('deposits'),
      inquiries: count('inquiries'),
      cases: count('cases'),
      heldComments: may('heldComments') ? comments.held : null,
      reportedComments: may('reportedComments') ? comments.reported : null,
      failedVideos: count('failedVideos'),
      failedMails: count('failedMails'),
      overdueSubscriptions: count('overdueSubscriptions'),
      disabledWebhooks: count('disabledWebhooks'),
      lowConversion: may('lowConversion') ? await lowConversion(ctx) : null,
      mailServer:
        server?.failingSince && server.failure !== null ? { since: server.failingSince, reason: server.failure } : null,
    },
  }
}

interface DepositPageInput {
  cursor?: string | undefined
  size: number
  /** A part of an order code, a name or an email address. */
  q: string
}

/**
 * A page of the orders that wait for a deposit, the earliest deadline first. Failure:
 * VALIDATION_FAILED for an invalid cursor.
 */
export const pageExpectedDeposits = async ({ db, customer }: Ctx, { cursor, size, q }: DepositPageInput) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const rows = await readExpectedDeposits(db, customer.id, { search: q, after, size })
  const { items, nextCursor } = keysetPageOf(rows, size)
  return {
    items: items.map(({ code, totalAmount, currency, account, dueAt, createdAt, ...member }) => ({
      code,
      total: { amount: totalAmount, currency },
      member: buyerOf(member),
      account: account && { bank: account.bank, number: account.number, holder: account.holder },
      dueAt,
      createdAt,
    })),
    nextCursor,
  }
}

interface ReceivedFilters {
  q: string
  /** Days in the store's time zone, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  /** Minor units, both inclusive. */
  min?: number | undefined
  max?: number | undefined
}

/** Returns what a list of received deposits is filtered by. */
const receivedFilterOf = (
  { customer }: Pick<Ctx, 'customer'>,
  { q, from, to, min, max }: ReceivedFilters,
): Omit<ReceivedDepositFilter, 'after' | 'size'> => {
  const { timeZone } = customer.settings.base
  return {
    search: q,
    since: from === undefined ? null : startOfDay(from, timeZone),
    until: to === undefined ? null : startOfDay(dayAfter(to), timeZone),
    min: min ?? null,
    max: max ?? null,
  }
}

/** How the store learned of a deposit, and what identifies it on the statement. */
const proofOf = ({ provider, providerRef }: ReceivedDepositRow) => {
  if (provider !== manualProvider) return { source: 'PROVIDER', reference: providerRef } as const
  const reference = enteredReference(providerRef)
  return caseOfReference(reference)
    ? ({ source: 'UNAPPLIED', reference: null } as const)
    : ({ source: 'STAFF', reference } as const)
}

/** A page of received deposits, latest first. Failure: VALIDATION_FAILED for a wrong cursor. */
export const pageReceivedDeposits = async (
  ctx: Ctx,
  { cursor, size, ...filters }: ReceivedFilters & { cursor?: string | undefined; size: number },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const { db, customer } = ctx
  const rows = await readReceivedDeposits(db, customer.id, { ...receivedFilterOf(ctx, filters), after, size })
  return {
    items: rows.slice(0, size).map((row) => ({
      id: row.id,
      code: row.code,
      amount: { amount: row.amount, currency: row.currency },
      refunded: { amount: row.refundedAmount, currency: row.currency },
      member: buyerOf(row),
      ...proofOf(row),
      receivedAt: row.receivedAt,
    })),
    nextCursor: keysetPageOf(rows, size).nextCursor,
  }
}

type DepositFilters = z.output<typeof depositExport>

/** The orders that wait for a deposit as a file. Search words alone filter them. */
export const expectedDeposits: ListExport<ExpectedDepositRow, DepositFilters> = {
  name: 'deposits',
  columns: [
    ['code', 'order', ({ code }) => code],
    ['name', 'depositor', ({ name }) => name],
    ['email', 'email', ({ email }) => email],
    ['account', 'bank', ({ account }) => account?.bank ?? null],
    ['account', 'account', ({ account }) => account?.number ?? null],
    ['total', 'amount', ({ totalAmount, currency }) => writeMoney(totalAmount, currency)],
    ['total', 'currency', ({ currency }) => currency],
    timeColumn('ordered', 'ordered', ({ createdAt }) => createdAt),
    timeColumn('due', 'due', ({ dueAt }) => dueAt),
  ],
  read: (_, { q: search }) => pagesOf(readExpectedDeposits, { search }),
}

/** Received deposits as a file. */
export const receivedDeposits: ListExport<ReceivedDepositRow, DepositFilters> = {
  name: 'deposits',
  columns: [
    timeColumn('date', 'received', ({ receivedAt }) => receivedAt),
    ['code', 'order', ({ code }) => code],
    ['name', 'depositor', ({ name }) => name],
    ['email', 'email', ({ email }) => email],
    ['amount', 'amount', ({ amount, currency }) => writeMoney(amount, currency)],
    ['amount', 'refunded', ({ refundedAmount, currency }) => writeMoney(refundedAmount, currency)],
    ['amount', 'currency', ({ currency }) => currency],
    ['source', 'source', (row) => proofOf(row).source],
    ['source', 'provider', ({ provider }) => provider],
    ['reference', 'reference', (row) => proofOf(row).reference],
  ],
  read: (ctx, filters) => pagesOf(readReceivedDeposits, receivedFilterOf(ctx, filters)),
}

interface ReturnsInput {
  unappliedCursor?: string | undefined
  refundsCursor?: string | undefined
  size: number
}

/**
 * Returns a page of each kind of money that is to be returned to members. An account is shown only
 * if staff transfer to it themselves. Failure: VALIDATION_FAILED for an invalid cursor.
 */
export const listMoneyToReturn = async (
  ctx: PaymentCtx,
  { unappliedCursor, refundsCursor, size }: ReturnsInput,
): Promise<MoneyToReturn | Failure> => {
  const afterUnapplied = readCursor(unappliedCursor)
  if (isFailure(afterUnapplied)) return afterUnapplied
  const afterRefunds = readCursor(refundsCursor)
  if (isFailure(afterRefunds)) return afterRefunds
  const accountOf = (encrypted: string | null) =>
    encrypted === null ? null : decryptAccount(ctx.encryptionSecret, encrypted)
  return ctx.inTransaction(async ({ db, customer }) => {
    const unapplied = keysetPageOf(await readUnappliedPayments(db, customer.id, { after: afterUnapplied, size }), size)
    const refunds = keysetPageOf(await readRefundsByStaff(db, customer.id, { after: afterRefunds, size }), size)
    return {
      nextUnapplied: unapplied.nextCursor,
      nextRefunds: refunds.nextCursor,
      unapplied: unapplied.items.map(({ id, code, currency, amount, account, reason, createdAt, ...row }) => {
        const isManual = row.provider === manualProvider
        return {
          id,
          code,
          member: buyerOf(row),
          amount: { amount, currency },
          reason,
          waitsFor: row.needsAccount ? 'MEMBER' : isManual ? 'STAFF' : 'PROVIDER',
          account: isManual ? accountOf(account) : null,
          createdAt,
        }
      }),
      refunds: refunds.items.map(({ code, currency, amount, account, createdAt, ...row }) => ({
        code,
        member: buyerOf(row),
        amount: { amount, currency },
        account: accountOf(account),
        paidOutBy: row.provider === manualProvider ? 'STAFF' : 'PROVIDER',
        createdAt,
      })),
    }
  })
}
