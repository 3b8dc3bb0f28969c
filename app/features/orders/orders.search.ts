import * as z from 'zod/mini'
import { orderStatus } from '#contract/enumerations.ts'
import { type OrderCode, orderCode } from '#contract/ids.ts'
import { code, firstPage, flag, pageNumber, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

export const ordersSearch = searchSchema(
  { status: orderStatus, from: z.iso.date(), to: z.iso.date(), page: pageNumber },
  firstPage,
)
export type OrdersSearch = SearchOf<typeof ordersSearch>

/** `ask`: shows the cancel form on the page. `problem`: the code of a refused form post. */
export const orderDetailSearch = searchSchema({ ask: flag, problem: code })
export type OrderDetailSearch = SearchOf<typeof orderDetailSearch>

/** Returns the order code of a URL; undefined where it is invalid. */
export const readOrderCode = (text: string): OrderCode | undefined => orderCode.safeParse(text).data
