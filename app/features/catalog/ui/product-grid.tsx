import type { ProductCard } from '#contract/catalog.ts'
import { PosterGrid } from '~/ui/poster-grid'
import { ProductTile, shapeOf } from './product-tile'

/** Products in as many columns as fit. */
export function ProductGrid({ products }: { products: readonly ProductCard[] }) {
  const shape = shapeOf(products)
  return (
    <PosterGrid shape={shape}>
      {products.map((product, at) => (
        <li key={product.id}>
          <ProductTile product={product} shape={shape} eager={at < 6} />
        </li>
      ))}
    </PosterGrid>
  )
}
