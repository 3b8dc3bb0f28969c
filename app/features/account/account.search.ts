import * as z from 'zod/mini'
import { sortOption } from '#contract/enumerations.ts'

const page = z.catch(z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000)), 1), 1)

/** `sort` is missing for the order of buying, latest first. */
export const paidProductsSearch = z.object({ sort: z.catch(z.optional(sortOption), undefined), page })
export type PaidProductsSearch = z.output<typeof paidProductsSearch>

export const likedProductsSearch = z.object({ page })
export type LikedProductsSearch = z.output<typeof likedProductsSearch>

/** What an address need not say. */
export const firstPage = { page: 1 } as const
