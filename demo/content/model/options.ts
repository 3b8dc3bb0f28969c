import type { DemoOption } from './types.ts'

/** To keep for ever; `listPrice` is what it cost before. */
export const own = (name: string, price: number, listPrice?: number): DemoOption => ({
  name,
  type: 'OWN',
  price,
  ...(listPrice && { listPrice }),
})

/** For some days from the first play. */
export const rent = (name: string, price: number, days: number): DemoOption => ({ name, type: 'RENT', price, days })
