import * as z from 'zod/mini'
import {
  depositApplied,
  depositExport,
  depositPage,
  depositQuery,
  depositReceived,
  depositUndo,
  depositUndone,
  moneyToReturn,
  moneyToReturnQuery,
  paidOrder,
  receivedDepositPage,
  receivedDepositQuery,
  refundTransfer,
  unappliedMatch,
  unappliedReturn,
} from '../admin/deposits.ts'
import { csvFile } from '../admin/lists.ts'
import {
  cancelRejection,
  complimentaryOrder,
  foundOrders,
  openRefund,
  orderCancel,
  orderCreated,
  orderNote,
  orderSearch,
  storeOrder,
  storeOrderExport,
  storeOrderPage,
  storeOrderPath,
  storeOrderQuery,
  storeRefund,
  storeRefunded,
} from '../admin/orders.ts'
import {
  storePlans,
  storeSubscriptionExport,
  storeSubscriptionPage,
  storeSubscriptionQuery,
} from '../admin/subscriptions.ts'
import { movementExport } from '../analytics.ts'
import { procedure } from './procedure.ts'

const orders = { tag: 'Admin: orders', permission: 'orders:read' } as const
const refunds = { ...orders, permission: 'refunds:write' } as const

export const orderProcedures = {
  list: procedure('operator', 'GET', '/admin/orders', {
    ...orders,
    summary: 'List orders',
    description: 'Returns the latest orders first, or sorted by `sort`. Drafts without a started payment are left out.',
  })
    .input(storeOrderQuery)
    .output(storeOrderPage),
  search: procedure('operator', 'GET', '/admin/orders/search', {
    ...orders,
    summary: 'Find orders by their code or member',
    description: 'Returns the latest orders with this code, and then those of members whom the text fits.',
  })
    .input(orderSearch)
    .output(foundOrders),
  export: procedure('operator', 'GET', '/admin/orders.csv', {
    ...orders,
    permission: 'orders:write',
    summary: 'Export orders as CSV',
    description:
      'Returns all orders that fit the filters, in the order of the list, as a stream. `columns` chooses the columns. The audit log names the export.',
  })
    .input(storeOrderExport)
    .output(csvFile),
  exportMovements: procedure('operator', 'GET', '/admin/movements.csv', {
    ...orders,
    permission: 'orders:write',
    summary: 'Export payments and refunds as CSV',
    description:
      'Returns all payments and refunds of orders and subscriptions in a range of days, the earliest first, as a stream. Days and times are in the store’s time zone. The audit log names the export.',
  })
    .input(movementExport)
    .output(csvFile),
  get: procedure('operator', 'GET', '/admin/orders/{code}', {
    ...orders,
    summary: 'Retrieve an order',
    description: 'Returns its items, payments, refund and timeline, and what the refund rule gives now.',
  })
    .input(storeOrderPath)
    .output(storeOrder),
  refund: procedure('operator', 'POST', '/admin/orders/{code}/refund', {
    ...refunds,
    summary: 'Refund an order, some of its items, or a part of the price of one',
    versioned: true,
    description:
      'An order that cost nothing is revoked. Items that the rule does not refund are refunded only with `overridesRule`; without it the answer is REFUND_AGAINST_RULE.',
  })
    .input(storeRefund)
    .output(storeRefunded),
  cancel: procedure('operator', 'POST', '/admin/orders/{code}/cancel', {
    ...orders,
    permission: 'orders:write',
    summary: 'Cancel an order that waits for its deposit',
    versioned: true,
    description:
      'The member gets an email. Money that still arrives is to be returned. Answers CANCEL_NOT_POSSIBLE for an order that waits for none, also where the deposit has just arrived.',
    status: 204,
  }).input(orderCancel),
  createComplimentary: procedure('operator', 'POST', '/admin/orders', {
    ...orders,
    permission: 'orders:write',
    secondFactor: true,
    summary: 'Create a complimentary order',
    description: 'Gives a member titles for nothing. The member gets an email and finds the order among the others.',
    idempotent: true,
    status: 201,
  })
    .input(complimentaryOrder)
    .output(orderCreated),
  createPaid: procedure('operator', 'POST', '/admin/orders/paid', {
    ...orders,
    permission: 'deposits:write',
    summary: 'Record a sale that was paid outside of the store',
    description:
      'Creates a paid order: the member gets the titles, a receipt by email, and finds the order among the others.',
    idempotent: true,
    status: 201,
  })
    .input(paidOrder)
    .output(orderCreated),
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
    ...orders,
    summary: 'List refunds that wait',
    description: 'Returns refunds that wait for a decision or for their payout, oldest first, at most 200.',
  }).output(z.object({ items: z.array(openRefund) })),
  sendReceipt: procedure('operator', 'POST', '/admin/orders/{code}/receipt', {
    ...orders,
    permission: 'orders:write',
    summary: 'Send the receipt of a paid order again',
    description: 'The member gets it by email, at most once a minute.',
    status: 204,
  }).input(storeOrderPath),
  addNote: procedure('operator', 'POST', '/admin/orders/{code}/notes', {
    ...orders,
    permission: 'orders:write',
    summary: 'Add a note to an order',
    status: 204,
  }).input(orderNote),
}

const deposits = { tag: 'Admin: deposits', permission: 'deposits:write' } as const

export const depositProcedures = {
  expected: procedure('operator', 'GET', '/admin/deposits', {
    ...deposits,
    permission: 'orders:read',
    summary: 'List orders that wait for a deposit',
    description: 'Returns the earliest deadline first.',
  })
    .input(depositQuery)
    .output(depositPage),
  received: procedure('operator', 'GET', '/admin/deposits/received', {
    ...deposits,
    permission: 'orders:read',
    summary: 'List received deposits',
    description: 'Returns the latest first, those that staff marked as paid or matched included.',
  })
    .input(receivedDepositQuery)
    .output(receivedDepositPage),
  export: procedure('operator', 'GET', '/admin/deposits.csv', {
    ...deposits,
    summary: 'Export deposits as CSV',
    description:
      'Returns all expected or received deposits that fit the filters as a stream. The audit log names the export.',
  })
    .input(depositExport)
    .output(csvFile),
  toReturn: procedure('operator', 'GET', '/admin/deposits/to-return', {
    ...deposits,
    summary: 'List money that is to be returned',
    description:
      'Returns unapplied payments, and refunds that staff transfer themselves, oldest first, a page of each.',
  })
    .input(moneyToReturnQuery)
    .output(moneyToReturn),
  receive: procedure('operator', 'POST', '/admin/orders/{code}/deposit', {
    ...deposits,
    summary: 'Mark an order as paid by a transfer',
    versioned: true,
    description:
      'A smaller amount becomes the price of the order. What exceeds the price is to be returned. Both need a reason.',
    idempotent: true,
  })
    .input(depositReceived)
    .output(depositApplied),
  undo: procedure('operator', 'POST', '/admin/orders/{code}/deposit/undo', {
    ...deposits,
    summary: 'Undo that an order was marked as paid',
    versioned: true,
    description:
      'Undoes a payment that staff recorded or matched by mistake: the order waits for its payment again at its former price, access ends, and the member gets an email. The transfer can be recorded for another order; an unapplied payment is unapplied again. Refused once money of the order was refunded or returned.',
    idempotent: true,
  })
    .input(depositUndo)
    .output(depositUndone),
  match: procedure('operator', 'POST', '/admin/deposits/{id}/match', {
    ...deposits,
    summary: 'Use an unapplied payment for an order',
    versioned: true,
    description: 'The version is that of the order, which waits for a deposit.',
    idempotent: true,
  })
    .input(unappliedMatch)
    .output(depositApplied),
  recordReturn: procedure('operator', 'POST', '/admin/deposits/{id}/return', {
    ...deposits,
    summary: 'Record that an unapplied payment was returned',
    idempotent: true,
    status: 204,
  }).input(unappliedReturn),
  recordRefund: procedure('operator', 'POST', '/admin/orders/{code}/refund/transfer', {
    ...deposits,
    summary: 'Record that a refund was transferred',
    description:
      'For refunds of orders whose payment staff had recorded, which no provider pays out, and of bank payments whose member has given no account.',
    idempotent: true,
    status: 204,
  }).input(refundTransfer),
}

const subscriptions = { tag: 'Admin: subscriptions', permission: 'orders:read' } as const

export const subscriptionProcedures = {
  list: procedure('operator', 'GET', '/admin/subscriptions', {
    ...subscriptions,
    summary: 'List subscriptions',
    description: 'Returns those that have started, also ended ones. `sort=NEXT_CHARGE` leaves out what is not renewed.',
  })
    .input(storeSubscriptionQuery)
    .output(storeSubscriptionPage),
  export: procedure('operator', 'GET', '/admin/subscriptions.csv', {
    ...subscriptions,
    permission: 'orders:write',
    summary: 'Export subscriptions as CSV',
    description: 'Returns all subscriptions that fit the filters, as a stream. The audit log names the export.',
  })
    .input(storeSubscriptionExport)
    .output(csvFile),
  plans: procedure('operator', 'GET', '/admin/subscriptions/plans', {
    ...subscriptions,
    summary: 'List the plans to filter subscriptions by',
  }).output(storePlans),
}
