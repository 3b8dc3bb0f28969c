import * as z from 'zod/mini'
import { money } from '../money.ts'

/**
 * Orders paid, what was paid for orders and subscriptions, and members joined in a part of a day.
 * Refunds are not subtracted. The analytics of sales have the same figures.
 */
const figures = z.object({ orders: z.int(), revenue: money, members: z.int() })

/**
 * Today in the store’s time zone up to now, and the same part of the same day a week ago. `waiting`
 * counts what needs a person.
 */
export const home = z.object({
  day: z.iso.date(),
  today: figures,
  weekAgo: figures,
  waiting: z.object({
    refundRequests: z.int(),
    /** Accepted refunds that staff transfer themselves, or whose member has given no account. */
    refundsToTransfer: z.int(),
    /** Payments that pay no order and are to be matched or returned. */
    unappliedPayments: z.int(),
    deposits: z.int(),
    inquiries: z.int(),
    /** Without inquiries, refund requests and unapplied payments, which are counted above. */
    cases: z.int(),
    heldComments: z.int(),
    reportedComments: z.int(),
    failedVideos: z.int(),
    failedMails: z.int(),
    /** A renewal could not be charged, and is tried again. */
    overdueSubscriptions: z.int(),
    /** Endpoints that a rule has disabled. */
    disabledWebhooks: z.int(),
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
