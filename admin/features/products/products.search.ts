import * as z from 'zod/mini'
import { productStatus } from '#contract/enumerations.ts'
import { given, parameter, shared } from '../../platform/search'

const schema = z.object({ q: shared.text, status: parameter(productStatus), cursor: shared.cursor })
export type ProductsSearch = Partial<z.output<typeof schema>>
export const parseProductsSearch = (search: Record<string, unknown>): ProductsSearch => given(schema.parse(search))

/** The states of a video job. Schemas of the media area are not in the first script. */
const videosSchema = z.object({ status: parameter(z.enum(['QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED'])) })
export type VideosSearch = Partial<z.output<typeof videosSchema>>
export const parseVideosSearch = (search: Record<string, unknown>): VideosSearch => given(videosSchema.parse(search))
