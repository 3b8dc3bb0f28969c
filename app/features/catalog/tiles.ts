import type { ProductCard } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'

/** What a tile shows of a product. */
export type Tile = Pick<
  ProductCard,
  | 'id'
  | 'code'
  | 'access'
  | 'title'
  | 'summary'
  | 'poster'
  | 'posterTall'
  | 'price'
  | 'listPrice'
  | 'priceType'
  | 'optionCount'
  | 'durationSeconds'
  | 'lessonCount'
  | 'saleTo'
  | 'createdAt'
  | 'viewer'
  | 'languages'
>

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The tile that was pressed: the product's page begins with what it showed. */
    tile?: Tile
  }
}

/** One width is what `url` names already. */
const lean = (picture: Picture): Picture => (picture.sources.length > 1 ? picture : { ...picture, sources: [] })

const tileOf = (card: ProductCard): Tile => ({
  id: card.id,
  code: card.code,
  access: card.access,
  title: card.title,
  summary: card.summary,
  poster: lean(card.poster),
  posterTall: card.posterTall && lean(card.posterTall),
  price: card.price,
  listPrice: card.listPrice,
  priceType: card.priceType,
  optionCount: card.optionCount,
  durationSeconds: card.durationSeconds,
  lessonCount: card.lessonCount,
  saleTo: card.saleTo,
  createdAt: card.createdAt,
  viewer: card.viewer,
  ...(card.languages && { languages: card.languages }),
})

/** Makes tiles for the shelves of one page. A product that stands on several is one object, and so travels with the page once. */
export function tileMaker(): (cards: readonly ProductCard[]) => Tile[] {
  const made = new Map<ProductId, Tile>()
  return (cards) =>
    cards.map((card) => {
      const tile = made.get(card.id) ?? tileOf(card)
      made.set(card.id, tile)
      return tile
    })
}
