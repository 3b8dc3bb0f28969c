import * as z from 'zod/mini'
import { paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey } from '#contract/ids.ts'
import { orderPath, orderPlace, paymentPath } from '#contract/orders.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { pay } from './pay.server'

/** Places the order and begins to pay it, once per attempt however often it is sent. Answers where the browser goes. */
export const payOrder = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, method: paymentMethod, place: orderPlace })))
  .handler(({ data, context }) => context.ask((api) => pay(api, data)))

/** Asks how a payment stands and settles it. Safe to repeat. */
export const confirmPayment = writeFn()
  .validator(checked(paymentPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.confirmPayment(data)))

/** The product of a purchase past the cart, with its options. */
export const getProductToBuy = readFn()
  .validator(checked(z.object({ code: z.string().check(z.minLength(1), z.maxLength(64)) })))
  .handler(({ data, context }) => context.ask((api) => api.catalog.product({ id: data.code, view: false })))

export const getPlacedOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.order(data)))
