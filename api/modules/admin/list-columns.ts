import type * as z from 'zod/mini'
import { type MailPageRow, readMailPage } from '#api/modules/mail/mail.queries.ts'
import { mailFilterOf } from '#api/modules/mail/mails.ts'
import {
  readSubscriptionPage,
  type SubscriptionPageRow,
} from '#api/modules/subscriptions/store-subscriptions.queries.ts'
import { subscriptionFilterOf } from '#api/modules/subscriptions/subscription-view.ts'
import { type InquiryPageRow, readInquiryPage } from '#api/modules/support/staff-inquiries.queries.ts'
import { inquiryFilterOf } from '#api/modules/support/staff-inquiries.ts'
import { listAuditPage } from '#api/platform/audit.ts'
import { dayAt } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { writeMoney } from '#api/platform/csv/csv.ts'
import type { AuditPageRow, KeysetPosition } from '#api/platform/platform.queries.ts'
import type { auditExport } from '#contract/admin/audit.ts'
import type { storeInquiryExport } from '#contract/admin/inquiries.ts'
import type { storeMailExport } from '#contract/admin/mails.ts'
import type { storeMemberExport } from '#contract/admin/members.ts'
import type { storeOrderExport } from '#contract/admin/orders.ts'
import type { storeSubscriptionExport } from '#contract/admin/subscriptions.ts'
import { type OrderPageRow, readOrderPage } from './admin-lists.queries.ts'
import { type MemberPageRow, readMemberPage } from './member-lists.queries.ts'
import { memberFilterOf } from './store-members.ts'
import { auditFilterOf, orderFilterOf, referenceOf } from './store-orders.ts'

/** A column of a file. `shown` is the column of the console’s list that it belongs to. */
export type ExportColumn<Row> = readonly [
  shown: string,
  header: string,
  value: (row: Row, timeZone: string) => string | number | null,
]

/** A list of the console as a file. */
export interface ListExport<Row, Filters> {
  name: 'orders' | 'members' | 'subscriptions' | 'inquiries' | 'mails' | 'audit'
  columns: readonly ExportColumn<Row>[]
  /** Reads one row more than `size`. */
  read: (ctx: Pick<Ctx, 'customer' | 'clock'>, filters: Filters) => (tx: Ctx, page: Page) => Promise<Row[]>
}

interface Page {
  after: KeysetPosition | null
  size: number
}

const timeOf = (at: string | null) => (at === null ? null : new Date(at).toISOString())
const yesOrNo = (isSo: boolean) => (isSo ? 'yes' : 'no')

const dayOrNull = (at: string | null, timeZone: string) => (at === null ? null : dayAt(new Date(at), timeZone))

export const orders: ListExport<OrderPageRow, z.output<typeof storeOrderExport>> = {
  name: 'orders',
  columns: [
    ['code', 'order', ({ code }) => code],
    ['status', 'status', ({ status }) => status],
    ['way', 'way of payment', ({ way }) => way],
    ['way', 'recorded as', ({ recordedAs }) => recordedAs],
    ['provider', 'provider', ({ provider }) => provider],
    ['reference', 'reference', referenceOf],
    ['paid', 'paid on', ({ paidAt }, timeZone) => dayOrNull(paidAt, timeZone)],
    ['total', 'total', ({ totalAmount, currency }) => writeMoney(totalAmount, currency)],
    ['total', 'currency', ({ currency }) => currency],
    ['refunded', 'refunded', ({ refundedAmount, currency }) => writeMoney(refundedAmount, currency)],
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['titles', 'titles', ({ titles }) => titles.join('; ')],
    ['date', 'created', ({ createdAt }) => timeOf(createdAt)],
  ],
  read: (ctx, filters) => {
    const filter = orderFilterOf(ctx, filters)
    return ({ db, customer }, page) => readOrderPage(db, customer.id, { ...filter, ...page })
  },
}

export const members: ListExport<MemberPageRow, z.output<typeof storeMemberExport>> = {
  name: 'members',
  columns: [
    ['email', 'email', ({ email }) => email],
    ['name', 'name', ({ name }) => name],
    ['joined', 'joined', ({ createdAt }) => timeOf(createdAt)],
    ['orders', 'orders', ({ orders: count }) => count],
    ['plan', 'plan', ({ plan }) => plan],
    ['plan', 'partnership', ({ partnershipName }) => partnershipName],
    ['plan', 'partnership until', ({ partnershipUntil }) => timeOf(partnershipUntil)],
    ['seen', 'last seen', ({ lastSeenAt }) => timeOf(lastSeenAt)],
    ['name', 'blocked', ({ blockedAt }) => timeOf(blockedAt)],
    ['name', 'deleted', ({ withdrawnAt }) => timeOf(withdrawnAt)],
    ['marketing', 'marketing', ({ marketing }) => yesOrNo(marketing)],
    ['tags', 'tags', ({ tags }) => tags.join(', ')],
  ],
  read: (ctx, { sort, ...selection }) => {
    const filter = { ...memberFilterOf(ctx, selection), sort }
    return ({ db, customer }, page) => readMemberPage(db, customer.id, { ...filter, ...page })
  },
}

export const subscriptions: ListExport<SubscriptionPageRow, z.output<typeof storeSubscriptionExport>> = {
  name: 'subscriptions',
  columns: [
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['plan', 'plan', ({ plan }) => plan],
    ['state', 'state', ({ state }) => state],
    ['price', 'cycle', ({ cycle }) => cycle],
    ['price', 'price', ({ priceAmount, currency }) => writeMoney(priceAmount, currency)],
    ['price', 'currency', ({ currency }) => currency],
    ['since', 'started', ({ startedAt }) => timeOf(startedAt)],
    ['next', 'next charge', ({ nextChargeAt }) => timeOf(nextChargeAt)],
    [
      'next',
      'next amount',
      ({ nextChargeAt, nextPriceAmount, currency }) =>
        nextChargeAt === null ? null : writeMoney(nextPriceAmount, currency),
    ],
    ['next', 'ends', ({ endsAt }) => timeOf(endsAt)],
    ['failed', 'failed attempts', ({ attempts }) => attempts],
    ['failed', 'failure', ({ failure }) => failure],
    ['failed', 'access until', ({ graceUntil }) => timeOf(graceUntil)],
  ],
  read: (ctx, filters) => {
    const filter = subscriptionFilterOf(ctx, filters)
    return ({ db, customer }, page) => readSubscriptionPage(db, customer.id, { ...filter, ...page })
  },
}

export const inquiries: ListExport<InquiryPageRow, z.output<typeof storeInquiryExport>> = {
  name: 'inquiries',
  columns: [
    ['title', 'subject', ({ title }) => title],
    ['title', 'number', ({ code }) => code],
    ['member', 'email', ({ email }) => email],
    ['member', 'name', ({ name }) => name],
    ['assignee', 'assigned to', ({ assigneeName }) => assigneeName],
    ['type', 'topic', ({ type }) => type],
    ['since', 'status', ({ status }) => status],
    ['since', 'created', ({ createdAt }) => timeOf(createdAt)],
    ['since', 'last message', ({ updatedAt }) => timeOf(updatedAt)],
  ],
  read: (_, selection) => {
    const filter = inquiryFilterOf(selection)
    return ({ db, customer }, page) => readInquiryPage(db, customer.id, { ...filter, ...page })
  },
}

/** Without subjects and contents, which may hold codes and links for the recipient alone. */
export const mails: ListExport<MailPageRow, z.output<typeof storeMailExport>> = {
  name: 'mails',
  columns: [
    ['to', 'recipient', ({ to }) => to],
    ['status', 'status', ({ status }) => status],
    ['template', 'about', ({ template }) => template],
    ['failure', 'attempts', ({ attempts }) => attempts],
    ['failure', 'failure', ({ failure }) => failure],
    ['date', 'created', ({ createdAt }) => timeOf(createdAt)],
  ],
  read: (ctx, selection) => {
    const filter = mailFilterOf(ctx, selection)
    return ({ db, customer }, page) => readMailPage(db, customer.id, { ...filter, ...page })
  },
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export const auditLog: ListExport<AuditPageRow, z.output<typeof auditExport>> = {
  name: 'audit',
  columns: [
    ['action', 'action', ({ action }) => action],
    ['actor', 'actor', ({ actor }) => actor],
    ['subject', 'object', ({ subject }) => subject],
    [
      'changes',
      'changes',
      ({ changes: fields }) =>
        Object.entries(fields)
          .map(([field, { from, to }]) => `${field}: ${textOf(from)} → ${textOf(to)}`)
          .join('; '),
    ],
    ['date', 'date', ({ at }) => timeOf(at)],
  ],
  read: (ctx, filters) => {
    const filter = auditFilterOf(ctx, filters)
    return (tx, page) => listAuditPage(tx, { ...filter, ...page })
  },
}
