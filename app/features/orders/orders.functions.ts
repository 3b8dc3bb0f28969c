import * as z from 'zod/mini'
import { paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey } from '#contract/ids.ts'
import { cancelRequest, orderPath, orderQuery, refundAccountInput } from '#contract/orders.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { cancelOrder, giveAccount, payAgain } from './order-writes.server'

/** A page of the member's orders, latest first. */
export const getOrders = readFn()
  .validator(checked(orderQuery))
  .handler(({ data, context }) => context.ask((api) => api.commerce.orders(data)))

/** One order with its items, payment and money timeline. 404 for another member's. */
export const getOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.order(data)))

/** The receipt of a paid order. 404 where nothing was paid. */
export const getReceipt = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.receipt(data)))

/** Begins to pay an open order by a method, once per attempt. Answers where the browser goes. */
export const payOrderBy = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, code: orderPath.shape.code, method: paymentMethod })))
  .handler(({ data, context }) => context.ask((api) => payAgain(api, data)))

/** Cancels an order, or asks for money back, once per attempt. Answers the order as it stands then. */
export const requestCancel = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, request: cancelRequest })))
  .handler(({ data, context }) => context.ask((api) => cancelOrder(api, data)))

/** Takes a request back that nobody has accepted yet. */
export const withdrawCancelRequest = writeFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.withdrawCancelRequest(data)))

/** Says where money that waits to go back by bank is sent, once per attempt. */
export const setRefundAccount = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, account: refundAccountInput })))
  .handler(({ data, context }) => context.ask((api) => giveAccount(api, data)))
