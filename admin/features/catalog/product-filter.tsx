import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ProductCode, productCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { CodeFilter } from '../../ui/filters'
import { FoldedField } from '../../ui/folded-filters'
import { productsByCodeQuery } from './products.queries'

// Loaded when it is opened.
const ProductDialog = lazyPart(async () => ({ default: (await import('./product-dialog')).ProductDialog }))

interface ProductFilterProps {
  value: ProductCode | undefined
  onChange: (code: ProductCode | undefined) => void
}

function FoundProductFilter({ value, onChange }: ProductFilterProps) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const found = useQuery({ ...productsByCodeQuery(useAdminApi(), value ? [value] : []), enabled: value !== undefined })
  const title = value && (found.data?.items[0]?.title ?? value)
  return (
    <FoldedField label={t`Product`} chosen={title} onRemove={() => onChange(undefined)}>
      {title === undefined ? (
        <Button variant="outline" icon="search" onClick={() => setOpen(true)}>
          <Trans>Product</Trans>
        </Button>
      ) : (
        <Button variant="outline" iconEnd="close" onClick={() => onChange(undefined)}>
          <span>
            <Trans>
              Product: <bdi>{title}</bdi>
            </Trans>
          </span>
        </Button>
      )}
      {isOpen && <ProductDialog onChoose={onChange} onClose={() => setOpen(false)} />}
    </FoldedField>
  )
}

/** Filters by a product, found by its title or code. Who may not read products types its code. */
export function ProductFilter(props: ProductFilterProps) {
  const { t } = useLingui()
  if (useMay()('products:read')) return <FoundProductFilter {...props} />
  return (
    <CodeFilter
      label={t`Product code`}
      value={props.value}
      onChange={(typed) => props.onChange(productCode.safeParse(typed).data)}
    />
  )
}
