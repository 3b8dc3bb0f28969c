import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { SearchAnswer } from '#contract/catalog.ts'
import { minorDigits } from '#contract/money.ts'
import { SharedElement } from '~/platform/document/html-parts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { type CategoryNode, type CategoryTree, categoryTree, pathTo } from '~/platform/shell/categories'
import { useCategories } from '~/platform/shell/shell.functions'
import { Checkbox } from '~/ui/choice'
import { useShownValue } from '~/ui/field'
import { TextField } from '~/ui/text-field'
import type { Choice } from '../filter-choices'
import type { ProductsSearch } from '../products.search'
import styles from './filter-panel.module.css'

interface FilterRadioProps {
  name: string
  value: string
  checked: boolean
  label: ReactNode
  /** The level in the tree. */
  depth?: number
}

/** One option of a radio filter. Notifies the form of a change. */
function FilterRadio({ name, value, checked, label, depth = 0 }: FilterRadioProps) {
  return (
    <label className={styles.radio} style={{ paddingInlineStart: `calc(var(--space-3) + ${depth} * var(--space-4))` }}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={() => {}}
        className={styles.radioInput}
      />
      {label}
    </label>
  )
}

interface FacetFilterProps {
  name: string
  legend: string
  choices: readonly Choice[]
  chosen: string | readonly string[] | undefined
  /** One at a time. */
  single?: boolean
}

/** The options of one filter with their product counts. Options without products are hidden. */
export function FacetFilter({ name, legend, choices, chosen = [], single }: FacetFilterProps) {
  const isChosen = (value: string) => (typeof chosen === 'string' ? chosen === value : chosen.includes(value))
  const offered = choices.filter(({ value, count }) => count !== 0 || isChosen(value))
  if (offered.length < 2 && !offered.some(({ value }) => isChosen(value))) return null
  const content = (
    <>
      <legend className={styles.legend}>{legend}</legend>
      {single && <FilterRadio name={name} value="" checked={chosen.length === 0} label={<Trans>Any</Trans>} />}
      {offered.map(({ value, count, ...text }) =>
        single ? (
          <FilterRadio
            key={value}
            name={name}
            value={value}
            checked={isChosen(value)}
            label={<Counted label={storeText(text, 'label')} count={count} />}
          />
        ) : (
          <Checkbox
            key={value}
            name={name}
            value={value}
            checked={isChosen(value)}
            onChange={() => {}}
            label={<Counted label={storeText(text, 'label')} count={count} />}
          />
        ),
      )}
    </>
  )
  if (!single) return <fieldset className={styles.group}>{content}</fieldset>
  return (
    <SharedElement as="fieldset" shown={['facet', name, offered, chosen]} className={styles.group}>
      {content}
    </SharedElement>
  )
}

function Counted({ label, count }: { label: ReactNode; count: number | null }) {
  const format = useFormat()
  return (
    <span className={styles.counted}>
      {label}
      {count !== null && <span className={styles.count}>{format.number(count)}</span>}
    </span>
  )
}

/** The roots, and the children of each category on the path to the chosen one. */
function openTree(tree: CategoryTree, chosen: string | undefined): CategoryNode[] {
  const open = new Set(pathTo(tree, chosen))
  const visible = (nodes: readonly CategoryNode[]): CategoryNode[] =>
    nodes.flatMap((node) => [node, ...(open.has(node) ? visible(node.children) : [])])
  return visible(tree.roots)
}

interface CategoryFilterProps {
  chosen: string | undefined
  facet: SearchAnswer['facets']['category']
}

/** The category tree, open down to the chosen one and its children. */
export function CategoryFilter({ chosen, facet }: CategoryFilterProps) {
  const categories = useCategories()
  const tree = categoryTree(categories)
  const shown = openTree(tree, chosen)
  if (shown.length === 0) return null
  const counts = new Map(facet.map(({ value, count }) => [value, count]))
  return (
    <SharedElement as="fieldset" shown={['categories', categories, chosen, facet]} className={styles.group}>
      <legend className={styles.legend}>
        <Trans>Category</Trans>
      </legend>
      <FilterRadio name="category" value="" checked={!chosen} label={<Trans>All categories</Trans>} />
      {shown.map((category) => (
        <FilterRadio
          key={category.path}
          name="category"
          value={category.path}
          checked={category.path === chosen}
          depth={pathTo(tree, category.path).length - 1}
          label={<Counted label={storeText(category, 'name')} count={counts.get(category.path) ?? null} />}
        />
      ))}
    </SharedElement>
  )
}

const stepsAcross = 20

/**
 * Returns the step of a price field's arrow buttons, in the currency's major unit: a round amount
 * (1, 2 or 5 times a power of ten) that divides the range into about twenty steps, at least one
 * minor unit.
 *
 * @param range the lowest and the highest price, in minor units
 * @param unit the number of minor units in a major unit: 100 for USD, 1 for KRW
 */
export function priceStep(range: { min: number; max: number }, unit: number): number {
  // Minor units are integers, so that no fraction is lost.
  const min = Math.max(1, (range.max - range.min) / stepsAcross)
  const magnitude = 10 ** Math.floor(Math.log10(min))
  const round = [1, 2, 5, 10].find((times) => times * magnitude >= min) ?? 10
  return (round * magnitude) / unit
}

interface PriceFilterProps {
  chosen: ProductsSearch
  /** The lowest and the highest price, in minor units. Null for an empty list. */
  range: SearchAnswer['priceRange']
  currency: string
}

/** Two amounts in the currency's major unit; either may stay empty. */
export function PriceFilter({ chosen, range, currency }: PriceFilterProps) {
  const { t } = useLingui()
  const format = useFormat()
  const digits = minorDigits(currency)
  const unit = 10 ** digits
  const shared = {
    type: 'number',
    min: 0,
    step: range ? priceStep(range, unit) : 'any',
    inputMode: unit > 1 ? 'decimal' : 'numeric',
  } as const
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <Trans>Price ({currency})</Trans>
      </legend>
      <div className={styles.prices}>
        <TextField
          {...shared}
          ref={useShownValue<HTMLInputElement>(String(chosen.priceMin ?? ''))}
          label={t`Min`}
          name="priceMin"
          defaultValue={chosen.priceMin}
          placeholder={range ? format.number(range.min / unit, digits) : undefined}
        />
        <TextField
          {...shared}
          ref={useShownValue<HTMLInputElement>(String(chosen.priceMax ?? ''))}
          label={t`Max`}
          name="priceMax"
          defaultValue={chosen.priceMax}
          placeholder={range ? format.number(range.max / unit, digits) : undefined}
        />
      </div>
    </fieldset>
  )
}
