import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Rail } from '~/ui/rail'
import type { Tile } from '../products.functions'
import { ProductItem, shapeOf } from './product-tile'

interface ProductRailProps {
  title: ReactNode
  products: readonly Tile[]
  action?: ReactNode
  /** Cards that resume playback. */
  resume?: boolean
  onDismiss?: (product: Tile) => void
}

/** A row of products; none at all is no row. */
export function ProductRail({ title, products, action, resume = false, onDismiss }: ProductRailProps) {
  const { t } = useLingui()
  if (products.length === 0) return null
  const shape = resume ? 'wide' : shapeOf(products)
  return (
    <Rail
      title={title}
      action={action}
      shape={resume ? 'small' : shape}
      labels={{ previous: t`Previous`, next: t`Next` }}
    >
      {products.map((product) => (
        <ProductItem key={product.id} product={product} shape={shape} resume={resume} onDismiss={onDismiss} />
      ))}
    </Rail>
  )
}
