import * as z from 'zod/mini'
import { orderCode } from '#contract/ids.ts'

/** What the event that opens a modal about an order carries. */
export const orderRequest = z.object({ code: orderCode })
