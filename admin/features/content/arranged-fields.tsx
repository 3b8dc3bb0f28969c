import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Locale } from '#contract/enumerations.ts'
import type { ProductCode } from '#contract/ids.ts'
import { maxChosenProducts } from '#contract/tenancy.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useSettings } from '../../platform/settings'
import { Loaded } from '../../ui/states'
import { TextField } from '../../ui/text-field'
import { TranslatedFields } from '../../ui/translated-fields'
import { type ChosenProduct, ProductChoice } from '../catalog/product-choice'
import { productsByCodeQuery } from '../catalog/products.queries'

type Titles = Partial<Record<Locale, string>>

interface OwnTitleProps {
  label: string
  hint?: string
  isRequired?: boolean
  title: string
  titles: Titles | undefined
  /** The error of a field. */
  errorOf: (field: string) => string | undefined
  onChange: (texts: { title: string; titles: Titles | undefined }) => void
}

/** The store's own title of a section or a link, with its translations. */
export function OwnTitle({ label, hint, isRequired = false, title, titles, errorOf, onChange }: OwnTitleProps) {
  const { locales } = useSettings().base
  const values = Object.fromEntries(Object.entries(titles ?? {}).map(([language, text]) => [language, { title: text }]))
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        value={title}
        maxLength={100}
        required={isRequired}
        error={errorOf('title')}
        onChange={({ target }) => onChange({ title: target.value, titles })}
      />
      {title && (
        <TranslatedFields
          texts={[{ name: 'title', label, own: title, maxLength: 100 }]}
          values={values}
          errors={Object.fromEntries(
            locales.map((language) => [`translations.${language}`, errorOf(`titles.${language}`)]),
          )}
          onChange={(changed) => {
            const filled = Object.entries(changed).flatMap(([language, texts]) =>
              texts?.title ? [[language, texts.title]] : [],
            )
            onChange({ title, titles: Object.fromEntries(filled) })
          }}
        />
      )}
    </>
  )
}

interface ChosenProductsProps {
  codes: readonly ProductCode[]
  onChange: (codes: ProductCode[]) => void
}

/** The products of a section, in the order in which visitors see them. */
export function ChosenProducts({ codes, onChange }: ChosenProductsProps) {
  const { t } = useLingui()
  // Those that are chosen later are known from the search.
  const [stored] = useState(codes)
  const [added, setAdded] = useState<readonly ChosenProduct[]>([])
  const found = useQuery(productsByCodeQuery(useAdminApi(), stored))
  return (
    <Loaded query={found}>
      {({ items }) => {
        const known = new Map([...items, ...added].map((product) => [product.code, product]))
        return (
          <ProductChoice
            legend={t`Products`}
            chosen={codes.map((code) => known.get(code) ?? { code, title: code })}
            isOrdered
            max={maxChosenProducts}
            onChange={(chosen) => {
              setAdded(chosen)
              onChange(chosen.map(({ code }) => code))
            }}
            error={undefined}
          />
        )
      }}
    </Loaded>
  )
}
