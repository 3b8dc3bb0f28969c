import * as z from 'zod/mini'
import { sortOption } from '#contract/enumerations.ts'
import { firstPage, pageNumber, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'

/** `sort` is missing for the order of buying, latest first. */
export const paidProductsSearch = searchSchema({ sort: sortOption, page: pageNumber }, firstPage)
export type PaidProductsSearch = SearchOf<typeof paidProductsSearch>

export const likedProductsSearch = searchSchema({ page: pageNumber }, firstPage)
export type LikedProductsSearch = SearchOf<typeof likedProductsSearch>

/** `key` is the key of a mail's link to sign in on this device. */
export const loginSearch = searchSchema({ key: z.string().check(z.maxLength(120)) })
