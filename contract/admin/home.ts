import * as z from 'zod/mini'
import { money } from '../money.ts'
import type { Permission } from '../permissions.ts'

/**
 * Orders paid, what was paid for orders and subscriptions, and members joined in a part of a day.
 * Refunds are not subtracted. The analytics of sales have the same figures.
 */
const figures = z.object({ orders: z.int(), revenue: money, members: z.int() })

/** What the first screen shows, each part with the permission that it needs. */
export const homePermissions = {
  figures: 'orders:read',
  refundRequests: 'orders:read',
  refundsToTransfer: 'orders:read',
  unappliedPayments: 'orders:read',
  deposits: 'orders:read',
  overdueSubscriptions: 'orders:read',
  lowConversion: 'orders:read',
  inquiries: 'inquiries:read',
  cases: 'inquiries:read',
  heldComments: 'comments:read',
  reportedComments: 'comments:read',
  failedVideos: 'videos:read',
  failedMails: 'mails:read',
  disabledWebhooks: 'webhooks:read',
  mailServer: 'settings:read',
} as const satisfies Record<string, Permission>

const count = z.nullable(z.int())

/**
 * Today in the store’s time zone up to now, and the same part of the same day a week ago. `waiting`
 * counts what needs a person. What the caller may not read is null.
 */
export const home = z.object({
  day: z.iso.date(),
  today: z.nullable(figures),
  weekAgo: z.nullable(figures),
  waiting: z.object({
    refundRequests: count,
    /** Accepted refunds that staff transfer themselves, or whose member has given no account. */
    refundsToTransfer: count,
    /** Payments that pay no order and are to be matched or returned. */
    unappliedPayments: count,
    deposits: count,
    inquiries: count,
    /** Without inquiries, refund requests and unapplied payments, which are counted above. */
    cases: count,
    heldComments: count,
    reportedComments: count,
    failedVideos: count,
    failedMails: count,
    /** A renewal could not be charged, and is tried again. */
    overdueSubscriptions: count,
    /** Endpoints that a rule has disabled. */
    disabledWebhooks: count,
    /**
     * The share of the orders begun in the last seven days that were paid, and of the four weeks
     * before, without those whose deposit is awaited; null unless it has fallen by more than a
     * quarter.
     */
    lowConversion: z.nullable(z.object({ now: z.number(), usual: z.number() })),
    /** Since when the store’s own mail server takes no emails, and what it last answered. */
    mailServer: z.nullable(z.object({ since: z.iso.datetime(), reason: z.string() })),
  }),
})
export type Home = z.output<typeof home>
