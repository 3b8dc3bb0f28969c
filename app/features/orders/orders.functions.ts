import { orderPath, orderQuery } from '#contract/orders.ts'
import { checked, readFn } from '~/platform/api/server-fn'

/** A page of the member's orders, latest first. */
export const getOrders = readFn()
  .validator(checked(orderQuery))
  .handler(({ data, context }) => context.ask((api) => api.commerce.orders(data)))

/** One order with its items, payment and money timeline. 404 for another member's. */
export const getOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.order(data)))
