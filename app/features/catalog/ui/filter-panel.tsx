import type { MessageDescriptor } from '@lingui/core'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import type { SearchAnswer } from '#contract/catalog.ts'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button, IconButton } from '~/ui/button'
import { isFilled, useEarlyInput } from '~/ui/field'
import { accessFilterChoices, durationChoices, filterFormId, filterPanelId, tagChoices } from '../filter-choices'
import type { ProductList } from '../products.functions'
import { type ProductsSearch, parseProductsSearch } from '../products.search'
import styles from './filter-panel.module.css'
import { CategoryFilter, FacetFilter, PriceFilter } from './filters'

interface FilterPanelProps {
  list: ProductList
  search: ProductsSearch
  facets: SearchAnswer['facets']
  priceRange: SearchAnswer['priceRange']
  currency: string
  total: number
}

/**
 * The filters of a list: beside it on wide screens, else in a native popover that opens without
 * JavaScript. A plain GET form. With JavaScript each choice applies at once.
 */
export function FilterPanel({ list, search, facets, priceRange, currency, total }: FilterPanelProps) {
  const { t, i18n } = useLingui()
  const navigate = useNavigate()
  const { usePayment } = useSiteSettings().order
  const [chosen, setChosen] = useChosen(search)
  const hasPrices = priceRange !== null || chosen.priceMin !== undefined || chosen.priceMax !== undefined
  const translate = (message: MessageDescriptor) => i18n._(message)

  const apply = (form: HTMLFormElement) => {
    const next = readSearch(form)
    setChosen(next)
    // The choice is shown first: the next frame does not wait for the navigation.
    afterFrame(() => void navigate({ to: `/${list}`, search: next, resetScroll: false }))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    apply(event.currentTarget)
  }
  const form = useRef<HTMLFormElement>(null)
  useEarlyInput(() => {
    if (form.current && isFilled(form.current)) apply(form.current)
  })
  // Amounts apply on Enter or on blur.
  const change = (event: FormEvent<HTMLFormElement>) => {
    const field = event.target
    if (field instanceof HTMLInputElement && field.type !== 'number') apply(event.currentTarget)
  }

  return (
    <aside id={filterPanelId} popover="auto" className={styles.panel} aria-label={t`Filters`}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <Trans>Filters</Trans>
        </h2>
        <IconButton icon="close" label={t`Close`} popoverTarget={filterPanelId} popoverTargetAction="hide" />
      </div>
      <form
        ref={form}
        id={filterFormId}
        action={`/${list}`}
        method="get"
        // The step applies to the arrow buttons only. Any typed amount is valid.
        noValidate
        className={styles.form}
        onSubmit={submit}
        onChange={change}
        onBlur={(event) =>
          event.target instanceof HTMLInputElement && event.target.type === 'number' && apply(event.currentTarget)
        }
      >
        {search.q && <input type="hidden" name="q" value={search.q} />}
        <CategoryFilter chosen={chosen.category} facet={facets.category} />
        {chosen.kind?.map((kind) => (
          <input key={kind} type="hidden" name="kind" value={kind} />
        ))}
        <FacetFilter
          name="access"
          legend={t`Ways to watch`}
          choices={accessFilterChoices(facets, translate)}
          chosen={chosen.access}
        />
        {usePayment && hasPrices && <PriceFilter chosen={chosen} range={priceRange} currency={currency} />}
        <FacetFilter
          name="duration"
          legend={t`Length`}
          choices={durationChoices(facets, translate)}
          chosen={chosen.duration}
          single
        />
        <FacetFilter
          name="tag"
          legend={t({ message: 'Topic', context: 'filter of titles' })}
          choices={tagChoices(facets)}
          chosen={chosen.tag}
          single
        />
        {/* Without a submit button, Enter would not submit the form. */}
        <button type="submit" hidden />
        <noscript>
          <Button type="submit" variant="primary" full>
            <Trans>Show results</Trans>
          </Button>
        </noscript>
      </form>
      <div className={styles.foot}>
        <Button variant="primary" full popoverTarget={filterPanelId} popoverTargetAction="hide">
          <Plural value={total} _0="No results" one="Show # result" other="Show # results" />
        </Button>
      </div>
    </aside>
  )
}

const afterFrame = (run: () => void) => requestAnimationFrame(() => setTimeout(run))

/** The latest choices. Checkboxes update at once, and follow the URL when it changes otherwise. */
function useChosen(search: ProductsSearch) {
  const address = JSON.stringify(search)
  const [state, setState] = useState({ address, chosen: search })
  if (state.address !== address) setState({ address, chosen: search })
  return [state.chosen, (chosen: ProductsSearch) => setState({ address, chosen })] as const
}

function readSearch(form: HTMLFormElement): ProductsSearch {
  const data = new FormData(form)
  const params = [...new Set(data.keys())].map((name) => {
    const values = data.getAll(name)
    return [name, values.length > 1 ? values : values[0]] as const
  })
  return parseProductsSearch(Object.fromEntries(params))
}
