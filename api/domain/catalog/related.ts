import type { ProductId } from '#contract/ids.ts'
import type { ManyColumn, Shelf } from './shelf.ts'

/** A look at the front of the shelf is enough to find neighbours in, however large the catalogue. */
const looksAt = 200
const tagsWeigh = 2

interface Subject {
  id: string
  categoryIds: readonly string[]
  tags: readonly string[]
}

/** The products on sale that share most tags, and a category, with another; of equals the one further in front. */
export const relatedOnShelf = (shelf: Shelf, { id, ...own }: Subject, now: Date, limit: number): ProductId[] => {
  const categories = indexesOf(shelf.categories, own.categoryIds)
  const tags = indexesOf(shelf.tags, own.tags)
  const seconds = now.getTime() / 1000
  const found: { id: ProductId; worth: number }[] = []
  const order = shelf.ascending('sort')
  for (let at = order.length - 1; at >= 0 && found.length < looksAt && categories.size > 0; at--) {
    const row = order[at]!
    const shared = sharedAt(shelf.categories, row, categories)
    if (shared === 0 || shelf.ids[row] === id) continue
    if (shelf.saleFrom[row]! > seconds || shelf.saleTo[row]! <= seconds) continue
    found.push({ id: shelf.ids[row]!, worth: shared + tagsWeigh * sharedAt(shelf.tags, row, tags) })
  }
  return found
    .sort((a, b) => b.worth - a.worth)
    .slice(0, limit)
    .map((product) => product.id)
}

const indexesOf = ({ names }: ManyColumn, wanted: readonly string[]) =>
  new Set(wanted.map((name) => names.indexOf(name)).filter((index) => index >= 0))

const sharedAt = ({ starts, values }: ManyColumn, row: number, wanted: ReadonlySet<number>): number => {
  let shared = 0
  for (let at = starts[row]!; at < starts[row + 1]!; at++) if (wanted.has(values[at]!)) shared++
  return shared
}
