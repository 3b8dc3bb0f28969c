import * as z from 'zod/mini'
import { orderStatus } from '#contract/enumerations.ts'
import { type OrderCode, orderCode } from '#contract/ids.ts'

const day = z.catch(z.optional(z.iso.date()), undefined)

export const ordersSearch = z.object({
  status: z.catch(z.optional(orderStatus), undefined),
  from: day,
  to: day,
  page: z.catch(z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000)), 1), 1),
})
export type OrdersSearch = z.output<typeof ordersSearch>

/** What an address need not say. */
export const ordersSearchDefaults = { page: 1 } as const

/** `ask`: the form that cancels stands on the page itself. `problem`: why a form post without script was refused, by its code. */
export const orderDetailSearch = z.object({
  ask: z.catch(z.optional(z.literal(true)), undefined),
  problem: z.catch(z.optional(z.string().check(z.maxLength(40))), undefined),
})
export type OrderDetailSearch = z.output<typeof orderDetailSearch>

/** The order an address names; undefined for what cannot be a code. */
export const readOrderCode = (text: string): OrderCode | undefined => orderCode.safeParse(text).data
