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

/** The order an address names; undefined for what cannot be a code. */
export const readOrderCode = (text: string): OrderCode | undefined => orderCode.safeParse(text).data
