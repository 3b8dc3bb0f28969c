import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { SearchAnswer } from '#contract/catalog.ts'
import { formatMajor } from '~/platform/format/use-format'
import { type Locale, langOf } from '~/platform/i18n/locales'
import { useCategoryTree } from '~/platform/shell/categories'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Chip, Chips } from '~/ui/chip'
import { accessFilterLabels, durationLabels, kindLabels } from '../filter-choices'
import type { ProductList } from '../products.functions'
import { type ProductsSearch, parseProductsSearch } from '../products.search'
import styles from './filter-chips.module.css'

interface ActiveFilter {
  label: string
  /** The language of the label, where it is not the page's. */
  lang?: Locale | undefined
  /** The list without this filter. */
  without: ProductsSearch
}

interface FilterChipsProps {
  list: ProductList
  search: ProductsSearch
  facets: SearchAnswer['facets']
}

/** The active filters of the list. Pressing one removes it. */
export function FilterChips({ list, search, facets }: FilterChipsProps) {
  const { t } = useLingui()
  const chips = useChips(search, facets)
  if (chips.length === 0) return null
  const { q, sort } = search
  return (
    <Chips className={styles.chips}>
      {chips.map(({ label, lang, without }) => (
        <Chip
          key={label}
          removable
          aria-label={t`Remove ${label}`}
          render={<Link to={`/${list}`} search={without} resetScroll={false} activeOptions={{ exact: true }} />}
        >
          <bdi lang={lang}>{label}</bdi>
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

function useChips(search: ProductsSearch, facets: SearchAnswer['facets']): ActiveFilter[] {
  const { t, i18n } = useLingui()
  const { currency } = useSiteSettings().base
  const categories = useCategoryTree()
  const { kind = [], access = [], category: path, duration, priceMin, priceMax, tag } = search
  const without = (change: ProductsSearch | { [word in keyof ProductsSearch]: undefined }) =>
    parseProductsSearch({ ...search, page: undefined, ...change })
  const money = (amount: number) => formatMajor(amount, currency, i18n.locale)
  const range = priceLabel()
  const category = categories.byPath.get(path ?? '')
  const topic = facets.tag.find(({ value }) => value === tag)

  function priceLabel() {
    if (priceMin !== undefined && priceMax !== undefined) return t`${money(priceMin)} to ${money(priceMax)}`
    if (priceMin !== undefined) return t`From ${money(priceMin)}`
    if (priceMax !== undefined) return t`Up to ${money(priceMax)}`
    return undefined
  }

  return [
    ...(path
      ? [
          {
            label: category?.name ?? t`Category`,
            lang: category && langOf(category, 'name'),
            without: without({ category: undefined }),
          },
        ]
      : []),
    ...kind.map((value) => ({
      label: t(kindLabels[value]),
      without: without({ kind: kind.filter((other) => other !== value) }),
    })),
    ...access.map((value) => ({
      label: t(accessFilterLabels[value]),
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
      ? [{ label: topic?.label ?? tag, lang: topic && langOf(topic, 'label'), without: without({ tag: undefined }) }]
      : []),
  ]
}
