import * as z from 'zod/mini'
import {
  cancelRejection,
  openRefund,
  orderNote,
  storeOrder,
  storeOrderPage,
  storeOrderPath,
  storeOrderQuery,
  storeRefund,
  storeRefunded,
} from '../../admin/orders.ts'
import { procedure } from '../procedure.ts'

const tag = 'Admin: orders'
const read = { tag, permission: 'orders:read' } as const
const write = { tag, permission: 'orders:write' } as const
const refunds = { tag, permission: 'refunds:write' } as const

export const adminOrderProcedures = {
  list: procedure('operator', 'GET', '/admin/orders', {
    ...read,
    summary: 'List orders',
    description: 'Returns the latest orders first. Drafts without a started payment are left out.',
  })
    .input(storeOrderQuery)
    .output(storeOrderPage),
  get: procedure('operator', 'GET', '/admin/orders/{code}', {
    ...read,
    summary: 'Retrieve an order',
    description: 'Returns its items, payments, refund and timeline, and what the refund rule gives now.',
  })
    .input(storeOrderPath)
    .output(storeOrder),
  refund: procedure('operator', 'POST', '/admin/orders/{code}/refund', {
    ...refunds,
    summary: 'Refund an order or some of its items',
    description:
      'Needs `If-Match`. Items that the rule does not refund are refunded only with `overridesRule`; without it the answer is REFUND_AGAINST_RULE.',
  })
    .input(storeRefund)
    .output(storeRefunded),
  acceptCancel: procedure('operator', 'POST', '/admin/orders/{code}/cancel/accept', {
    ...refunds,
    summary: 'Approve a member’s refund request',
  })
    .input(storeOrderPath)
    .output(z.object({ step: z.enum(['ACCEPT', 'REFUND']) })),
  rejectCancel: procedure('operator', 'POST', '/admin/orders/{code}/cancel/reject', {
    ...refunds,
    summary: 'Reject a member’s refund request',
    status: 204,
  }).input(cancelRejection),
  openRefunds: procedure('operator', 'GET', '/admin/refunds', {
    ...read,
    summary: 'List refunds that wait',
    description: 'Returns refunds that wait for a decision or for their payout, oldest first, at most 200.',
  }).output(z.object({ items: z.array(openRefund) })),
  addNote: procedure('operator', 'POST', '/admin/orders/{code}/notes', {
    ...write,
    summary: 'Add a note to an order',
    status: 204,
  }).input(orderNote),
}
