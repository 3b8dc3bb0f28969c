import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { SearchAnswer } from '#contract/catalog.ts'
import { formatMajor } from '~/platform/format/money'
import { useCategories, useSiteSettings } from '~/platform/shell/shell.queries'
import { Chip, Chips } from '~/ui/chip'
import { durationLabels, kindLabels, wayLabels } from '../labels'
import type { ProductList } from '../products.queries'
import { type ProductsSearch, parseProductsSearch } from '../products.search'
import styles from './filter-chips.module.css'

interface InUse {
  label: string
  /** The list without this filter. */
  without: ProductsSearch
}

interface FilterChipsProps {
  list: ProductList
  search: ProductsSearch
  facets: SearchAnswer['facets']
}

/** What the list is narrowed by; each is taken back by pressing it. */
export function FilterChips({ list, search, facets }: FilterChipsProps) {
  const { t } = useLingui()
  const chips = useChips(search, facets)
  if (chips.length === 0) return null
  const { q, sort } = search
  return (
    <Chips className={styles.chips}>
      {chips.map(({ label, without }) => (
        <Chip
          key={label}
          removable
          aria-label={t`Remove ${label}`}
          render={<Link to={`/${list}`} search={without} resetScroll={false} activeOptions={{ exact: true }} />}
        >
          {label}
        </Chip>
      ))}
      {chips.length > 1 && (
        <Link to={`/${list}`} search={parseProductsSearch({ q, sort })} resetScroll={false} className={styles.clear}>
          <Trans>Clear all</Trans>
        </Link>
      )}
    </Chips>
  )
}

const isRange = (duration: string): duration is keyof typeof durationLabels => duration in durationLabels

function useChips(search: ProductsSearch, facets: SearchAnswer['facets']): InUse[] {
  const { t, i18n } = useLingui()
  const { currency } = useSiteSettings().base
  const categories = useCategories()
  const { kind = [], access = [], category, duration, priceMin, priceMax, tag } = search
  const without = (change: ProductsSearch | { [word in keyof ProductsSearch]: undefined }) =>
    parseProductsSearch({ ...search, page: undefined, ...change })
  const money = (amount: number) => formatMajor(amount, currency, i18n.locale)
  const range = priceLabel()

  function priceLabel() {
    if (priceMin !== undefined && priceMax !== undefined) return t`${money(priceMin)} to ${money(priceMax)}`
    if (priceMin !== undefined) return t`From ${money(priceMin)}`
    if (priceMax !== undefined) return t`Up to ${money(priceMax)}`
    return undefined
  }

  return [
    ...(category
      ? [
          {
            label: categories.find(({ path }) => path === category)?.name ?? t`Category`,
            without: without({ category: undefined }),
          },
        ]
      : []),
    ...kind.map((value) => ({
      label: t(kindLabels[value]),
      without: without({ kind: kind.filter((other) => other !== value) }),
    })),
    ...access.map((value) => ({
      label: t(wayLabels[value]),
      without: without({ access: access.filter((other) => other !== value) }),
    })),
    ...(range ? [{ label: range, without: without({ priceMin: undefined, priceMax: undefined }) }] : []),
    ...(duration
      ? [
          {
            label: isRange(duration) ? t(durationLabels[duration]) : t`${duration} minutes`,
            without: without({ duration: undefined }),
          },
        ]
      : []),
    ...(tag
      ? [{ label: facets.tag.find(({ value }) => value === tag)?.label ?? tag, without: without({ tag: undefined }) }]
      : []),
  ]
}
