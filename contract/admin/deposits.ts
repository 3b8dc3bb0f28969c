import * as z from 'zod/mini'
import { recordedMethod } from '../enumerations.ts'
import { caseId, memberId, optionId, orderCode, paymentId, productCode } from '../ids.ts'
import { money } from '../money.ts'
import { inOrder } from '../paging.ts'
import { requiredText, textUpTo } from '../text.ts'
import { amountLimit, exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'
import { buyer } from './orders.ts'

const bankAccount = z.object({ bank: z.string(), number: z.string(), holder: z.string() })

/** `q` is an order code, or a part of the member’s name or email address. */
export const depositQuery = z.object({ ...keysetQuery, q: searchText })
/** An order that waits for its deposit. */
const expectedDeposit = z.object({
  code: orderCode,
  total: money,
  /** Null for a withdrawn account. */
  member: z.nullable(buyer),
  /** The account to pay into. */
  account: z.nullable(bankAccount),
  dueAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
})
export const depositPage = keysetPage(expectedDeposit)

/** Filters of received deposits. Days are in the store’s time zone; all limits are inclusive. */
const receivedFilters = {
  /** A part of an order code, a reference, or the member’s name or email address. */
  q: searchText,
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  /** Minor units. */
  min: z.optional(amountLimit),
  max: z.optional(amountLimit),
}
export const receivedDepositQuery = z
  .object({ ...keysetQuery, ...receivedFilters })
  .check(inOrder('from', 'to'), inOrder('min', 'max'))
/** A deposit that paid an order. */
const receivedPayment = z.object({
  id: paymentId,
  code: orderCode,
  amount: money,
  refunded: money,
  /** Null for a withdrawn account. */
  member: z.nullable(buyer),
  /** STAFF: marked as paid by staff. UNAPPLIED: staff used an unapplied payment for the order. */
  source: z.enum(['PROVIDER', 'STAFF', 'UNAPPLIED']),
  /** The provider’s reference, or what staff entered. */
  reference: z.nullable(z.string()),
  receivedAt: z.iso.datetime(),
})
export const receivedDepositPage = keysetPage(receivedPayment)

/** Without a list, the orders that wait for a deposit, which `q` alone filters. */
export const depositExport = z
  .object({
    list: z._default(z.enum(['EXPECTED', 'RECEIVED']), 'EXPECTED'),
    ...receivedFilters,
    columns: exportedColumns,
  })
  .check(inOrder('from', 'to'), inOrder('min', 'max'))

/**
 * LATE: no order waits for it. AMOUNT_MISMATCH: the amount differs from the price. SURPLUS: the
 * order was already paid.
 */
const unappliedReason = z.enum(['LATE', 'AMOUNT_MISMATCH', 'SURPLUS'])

/** The cursors are `nextUnapplied` and `nextRefunds` of the page before. */
export const moneyToReturnQuery = z.object({
  unappliedCursor: keysetQuery.cursor,
  refundsCursor: keysetQuery.cursor,
  size: keysetQuery.size,
})
/** Money that the store has to return to members. */
export const moneyToReturn = z.object({
  /** Null on the last page. */
  nextUnapplied: z.nullable(z.string()),
  nextRefunds: z.nullable(z.string()),
  unapplied: z.array(
    z.object({
      id: caseId,
      code: orderCode,
      member: z.nullable(buyer),
      amount: money,
      reason: unappliedReason,
      /**
       * MEMBER: waits for the member’s bank account. PROVIDER: the provider refunds it. STAFF:
       * staff transfer it to `account`.
       */
      waitsFor: z.enum(['MEMBER', 'PROVIDER', 'STAFF']),
      account: z.nullable(bankAccount),
      createdAt: z.iso.datetime(),
    }),
  ),
  /** Accepted refunds that staff transfer themselves. */
  refunds: z.array(
    z.object({
      code: orderCode,
      member: z.nullable(buyer),
      amount: money,
      /** Null until the member has given one. */
      account: z.nullable(bankAccount),
      /**
       * STAFF: they had received the payment. PROVIDER: it pays the refund out as soon as the
       * member gives an account.
       */
      paidOutBy: z.enum(['STAFF', 'PROVIDER']),
      createdAt: z.iso.datetime(),
    }),
  ),
})
export type MoneyToReturn = z.output<typeof moneyToReturn>

/** A transfer as the bank statement shows it. */
const transfer = {
  reference: requiredText(200),
  /** The day of the transfer in the store’s time zone, not in the future. */
  day: z.iso.date(),
}
/** Why another amount than the order’s is accepted, for the audit log. */
const reason = z.optional(textUpTo(500))
/** For the audit log; the member does not see it. */
const requiredReason = requiredText(500)

export const depositReceived = z.object({
  ...transfer,
  code: orderCode,
  /** In the minor unit of the order’s currency. */
  amount: z.int().check(z.gte(1), z.lte(1_000_000_000_000)),
  reason,
})
/** `total`: what the order costs now. `surplus`: what is to be returned to the member. */
export const depositApplied = z.object({ total: money, surplus: money })

export const depositUndo = z.object({ code: orderCode, reason: requiredReason })
/** `dueAt`: until when the order waits for its payment again. Null if its member has no account. */
export const depositUndone = z.object({ total: money, dueAt: z.nullable(z.iso.datetime()) })

export const unappliedMatch = z.object({ id: caseId, code: orderCode, reason })
export const unappliedReturn = z.object({ ...transfer, id: caseId })
export const refundTransfer = z.object({ ...transfer, code: orderCode })

/** A sale that was paid outside of the store. */
export const paidOrder = z.object({
  memberId,
  /** Titles to own for ever. */
  productCodes: z.array(productCode).check(z.minLength(1), z.maxLength(50)),
  /** Options to own of these titles. A title without one of them is sold with its first. */
  optionIds: z._default(z.array(optionId).check(z.maxLength(50)), []),
  /**
   * What was received, in minor units of the store’s currency: at most what the titles cost. Less
   * becomes their price.
   */
  amount: z.int().check(z.gte(1), z.lte(1e12)),
  /** How it was paid. The order counts as paid on the day that is given with it. */
  method: z._default(recordedMethod, 'OTHER'),
  ...transfer,
  reason: requiredReason,
})
