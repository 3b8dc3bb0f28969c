import { Trans, useLingui } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import { type ProductCode, productCode } from '#contract/ids.ts'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import type { Failure } from '../../platform/failure'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { TextField } from '../../ui/text-field'
import { type ChosenProduct, ProductChoice } from '../catalog/product-choice'
import { productQuery } from '../catalog/products.queries'

/** The codes in a text that separates them by commas, spaces or lines. The field refuses others. */
const codesIn = (text: string) => text.split(/[\s,]+/).flatMap((code) => productCode.safeParse(code).data ?? [])

type OwnOption = StoreProduct['options'][number]

interface PricedTitle extends ChosenProduct {
  /** Its options to own, those on sale first. Undefined while they load. */
  options: readonly OwnOption[] | undefined
  /** The option that is sold. */
  option: OwnOption | undefined
}

interface OrderTitles {
  codes: readonly ProductCode[]
  /** Chosen by whoever may read products. Others type codes. */
  chosen: readonly ChosenProduct[] | null
  /** The chosen titles of a sale, with their options. */
  priced: readonly PricedTitle[]
  choose: (chosen: readonly ChosenProduct[]) => void
  chooseOption: (code: ProductCode, id: string) => void
  type: (text: string) => void
}

const ownOptions = ({ options }: StoreProduct) =>
  options.filter(({ type }) => type === 'OWN').toSorted((a, b) => Number(b.onSale) - Number(a.onSale))

/** The titles of an order that staff write for a member, with their options if they are sold. */
export const useOrderTitles = ({ isSale = false } = {}): OrderTitles => {
  const api = useAdminApi()
  const mayChoose = useMay()('products:read')
  const [chosen, choose] = useState<readonly ChosenProduct[]>([])
  const [optionIds, setOptionIds] = useState<Readonly<Record<ProductCode, string>>>({})
  const [typed, type] = useState('')
  const sold = isSale ? chosen : []
  const products = useQueries({ queries: sold.map(({ code }) => productQuery(api, code)) })
  return {
    codes: mayChoose ? chosen.map(({ code }) => code) : codesIn(typed),
    chosen: mayChoose ? chosen : null,
    priced: sold.map((title, at) => {
      const data = products[at]?.data
      const options = data && ownOptions(data)
      const option = options?.find(({ id }) => id === optionIds[title.code]) ?? options?.[0]
      return { ...title, options, option }
    }),
    choose,
    chooseOption: (code, id) => setOptionIds((ids) => ({ ...ids, [code]: id })),
    type,
  }
}

/** The options of titles that have several, and what the chosen ones cost together. */
function Prices({ titles: { priced, chooseOption } }: { titles: OrderTitles }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const { currency } = useSettings().base
  const without = priced.find(({ options }) => options?.length === 0)?.title
  const isKnown = priced.every(({ option }) => option !== undefined)
  const total = money({ amount: priced.reduce((sum, { option }) => sum + (option?.price.amount ?? 0), 0), currency })
  return (
    <>
      {priced.map(
        ({ code, title, options = [], option }) =>
          options.length > 1 && (
            <Select
              key={code}
              label={t`Option of ${title}`}
              value={option?.id ?? ''}
              options={options.map(({ id, name, price }) => ({ value: id, label: `${name} · ${money(price)}` }))}
              onChange={({ target }) => chooseOption(code, target.value)}
            />
          ),
      )}
      <p role="status">
        {without !== undefined && <Trans>{without} cannot be bought to own. Remove it.</Trans>}
        {without === undefined && isKnown && priced.length > 0 && <Trans>Price of the titles: {total}</Trans>}
      </p>
    </>
  )
}

interface OrderTitlesFieldProps {
  titles: OrderTitles
  failure: Failure | undefined
}

/** Chooses the titles of an order, with what they cost. */
export function OrderTitlesField({ titles, failure }: OrderTitlesFieldProps) {
  const { t } = useLingui()
  const { chosen, choose, type } = titles
  const error = failure?.fields.productCodes ?? failure?.fields.optionIds
  if (chosen)
    return (
      <>
        <ProductChoice legend={t`Titles`} chosen={chosen} max={50} onChange={choose} error={error} />
        {titles.priced.length > 0 && <Prices titles={titles} />}
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
