import { videoJobStatus } from '#contract/enumerations.ts'
import { productCode } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

/** The language whose captions are shown, and the product from which the person came. */
export const parseVideoSearch = searchParser({ captions: shared.text, product: parameter(productCode) })

export const parseVideosSearch = searchParser({ status: parameter(videoJobStatus) })
export type VideosSearch = ReturnType<typeof parseVideosSearch>

export const parseLibrarySearch = searchParser({ q: shared.text, cursor: shared.cursor, columns: shared.columns })
export type LibrarySearch = ReturnType<typeof parseLibrarySearch>
