import type { ProductCard } from '#contract/catalog.ts'
import { PosterGrid } from '~/ui/poster-grid'
import { ProductTile, shapeOf } from './product-tile'

interface Props {
  products: readonly ProductCard[]
  /** All of them come with the asking person's plan. */
  covered?: boolean | undefined
}

/** Products in as many columns as fit, below the heading of the page. */
export function ProductGrid({ products, covered }: Props) {
  const shape = shapeOf(products)
  return (
    <PosterGrid shape={shape}>
      {products.map((product, at) => (
        <li key={product.id}>
          <ProductTile product={product} shape={shape} headingLevel="h2" eager={at < 6} covered={covered} />
        </li>
      ))}
    </PosterGrid>
  )
}
