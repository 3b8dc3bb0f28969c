import { Trans, useLingui } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import { type ProductCode, productCode } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import type { Failure } from '../../platform/failure'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { type ChosenProduct, ProductChoice } from '../catalog/product-choice'
import { productQuery } from '../catalog/products.queries'

/** The codes in a text that separates them by commas, spaces or lines. The field refuses others. */
const codesIn = (text: string) => text.split(/[\s,]+/).flatMap((code) => productCode.safeParse(code).data ?? [])

interface OrderTitles {
  codes: readonly ProductCode[]
  /** Chosen by whoever may read products. Others type codes. */
  chosen: readonly ChosenProduct[] | null
  choose: (chosen: readonly ChosenProduct[]) => void
  type: (text: string) => void
}

/** The titles of an order that staff write for a member. */
export const useOrderTitles = (): OrderTitles => {
  const mayChoose = useMay()('products:read')
  const [chosen, choose] = useState<readonly ChosenProduct[]>([])
  const [typed, type] = useState('')
  return {
    codes: mayChoose ? chosen.map(({ code }) => code) : codesIn(typed),
    chosen: mayChoose ? chosen : null,
    choose,
    type,
  }
}

/** What a product costs to own: its option on sale, or one that is not. */
const ownPrice = ({ options }: StoreProduct): Money | undefined =>
  options.filter(({ type }) => type === 'OWN').toSorted((a, b) => Number(b.onSale) - Number(a.onSale))[0]?.price

/** What the chosen titles cost together, once their prices are known. */
function Total({ chosen }: { chosen: readonly ChosenProduct[] }) {
  const api = useAdminApi()
  const { money } = useFormat()
  const { currency } = useSettings().base
  const products = useQueries({ queries: chosen.map(({ code }) => productQuery(api, code)) })
  const prices = products.map(({ data }) => data && (ownPrice(data) ?? null))
  const without = chosen.find((_, at) => prices[at] === null)?.title
  const isKnown = prices.every((price) => price !== undefined)
  const total = money({ amount: prices.reduce((sum, price) => sum + (price?.amount ?? 0), 0), currency })
  return (
    <p role="status">
      {without !== undefined && <Trans>{without} cannot be bought to own. Remove it.</Trans>}
      {without === undefined && isKnown && chosen.length > 0 && <Trans>Price of the titles: {total}</Trans>}
    </p>
  )
}

interface OrderTitlesFieldProps {
  titles: OrderTitles
  /** Whether the member pays for them. */
  isSale?: boolean
  failure: Failure | undefined
}

/** Chooses the titles of an order, with what they cost. */
export function OrderTitlesField({ titles, isSale = false, failure }: OrderTitlesFieldProps) {
  const { t } = useLingui()
  const { chosen, choose, type } = titles
  const error = failure?.fields.productCodes
  if (chosen)
    return (
      <>
        <ProductChoice legend={t`Titles`} chosen={chosen} max={50} onChange={choose} error={error} />
        {isSale && <Total chosen={chosen} />}
      </>
    )
  return (
    <TextField
      label={t`Product codes`}
      hint={t`The last part of the address of each page, with commas in between.`}
      name="codes"
      pattern="[A-Za-z0-9][A-Za-z0-9\-]*([\s,]+[A-Za-z0-9][A-Za-z0-9\-]*)*[\s,]*"
      maxLength={2000}
      autoComplete="off"
      dir="ltr"
      required
      onChange={({ target }) => type(target.value)}
      error={error}
    />
  )
}
