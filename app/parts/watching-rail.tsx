import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { IconButton } from '~/ui/button'
import { Rail } from '~/ui/rail'

interface WatchingRailProps<Product> {
  products: readonly Product[]
  /** Renders a card with the button that removes it. */
  card: (product: Product, remove: ReactNode) => ReactNode
  onDismiss: (product: Product) => void
}

/** The titles that the viewer has started, each with a button that removes it. */
export function WatchingRail<Product extends { id: string; title: string }>(props: WatchingRailProps<Product>) {
  const { products, card, onDismiss } = props
  const { t } = useLingui()
  const items = products.map((product) => (
    <li key={product.id}>
      {card(
        product,
        <IconButton
          icon="close"
          variant="glass"
          size="s"
          round
          label={t`Remove ${product.title} from this list`}
          onClick={() => onDismiss(product)}
        />,
      )}
    </li>
  ))
  return (
    <Rail
      title={<Trans>Continue watching</Trans>}
      shape="small"
      labels={{ previous: t`Previous`, next: t`Next` }}
      list={{ children: items }}
    />
  )
}
