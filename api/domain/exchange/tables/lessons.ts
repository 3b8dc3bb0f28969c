import { deleteRows } from '#api/db/queries/exchange.ts'
import * as cell from '../cells.ts'
import { chapterTitles, filmColumns } from '../films.ts'
import { translationsOf } from '../translated.ts'
import { videoIdsFor } from '../videos.ts'
import { ofProduct } from './of-product.ts'

const title = cell.line('title', 300, { example: 'The first line' })
const summary = cell.prose('summary', 2000)

/** The parts of a course or series. One whose video is still on its way is seen by nobody. */
export const lessons = ofProduct({
  ...{ name: 'lessons', table: 'lessons', title: 'title', complaints: () => [], called: {} },
  texts: [title, summary, chapterTitles],
  columns: [cell.whole('sort', 0, 1_000_000), title, summary, ...filmColumns, cell.yesNo('free', false)],
  rowsOf: async (work, changes) => {
    const videoIdOf = await videoIdsFor(work, changes, ({ id, values }) => ({
      ...{ productId: values.productId as string, lessonId: id },
    }))
    return changes.map((change) => ({
      ...{ customer_id: work.customerId, id: change.id, product_id: change.values.productId },
      ...{ sort: change.values.sort, title: change.values.title, summary: change.values.summary },
      ...{ video_id: videoIdOf(change), free: change.values.free },
      translations: translationsOf(change.values),
    }))
  },
  remove: async ({ db, customerId }, kept) => {
    await deleteRows(
      db,
      customerId,
      'lessons',
      kept.map(({ id }) => id),
    )
    return kept.length
  },
})
