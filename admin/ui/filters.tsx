import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useFormat } from '../platform/format'
import { maxSearchText } from '../platform/search'
import { useSettings } from '../platform/settings'
import styles from './filters.module.css'
import { FoldButton, FoldedField, FoldedFilters } from './folded-filters'
import { isTyping, latinKey } from './is-typing'
import { amountOf, MoneyField, typedAmount } from './money-field'

interface FiltersProps {
  /** On narrow screens, one button shows them: all but the field of the search. */
  folds?: boolean
  children: ReactNode
}

/** The filters above a list. */
export function Filters({ folds = false, children }: FiltersProps) {
  const { t } = useLingui()
  return (
    <search className={styles.filters} aria-label={t`Filters`}>
      {folds ? <FoldedFilters>{children}</FoldedFilters> : children}
    </search>
  )
}

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (value: string) => void
  /** A further field, to which `/` does not lead. */
  isFurther?: boolean
}

/** Milliseconds after the last key. */
const pause = 300

/** Moves to a control with `/`. */
const useSlashKey = (isOff: boolean) => {
  const control = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOff) return undefined
    const change = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (latinKey(event) !== '/' || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      control.current?.focus()
    }
    document.addEventListener('keydown', onKey, change)
    return () => change.abort()
  }, [isOff])
  return control
}

/** Searches while one types, unless another page is opened meanwhile. The key `/` leads to it. */
export function SearchField({ label, value, onSearch, isFurther = false }: SearchFieldProps) {
  const control = useSlashKey(isFurther)
  const router = useRouter()
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The address has changed: a link was followed, or the page before.
  if (shown !== value) {
    setShown(value)
    if (typed.trim() !== value) setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return
    const search = () => {
      const { pathname } = router.state.resolvedLocation ?? router.latestLocation
      // A search of this page would take the place of one that was opened and still loads.
      if (router.latestLocation.pathname === pathname) onSearch(typed.trim())
    }
    const timer = setTimeout(search, pause)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch, router])
  const field = (
    <TextField
      ref={control}
      aria-keyshortcuts={isFurther ? undefined : '/'}
      className={styles.search}
      type="search"
      label={label}
      icon="search"
      value={typed}
      maxLength={maxSearchText}
      onChange={(event) => setTyped(event.target.value)}
      autoComplete="off"
      spellCheck={false}
    />
  )
  if (isFurther)
    return (
      <FoldedField label={label} chosen={value || undefined} onRemove={() => onSearch('')}>
        {field}
      </FoldedField>
    )
  return (
    <>
      {field}
      <FoldButton />
    </>
  )
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  /** What no value means. */
  all?: string
  choices: readonly { value: Value; label: string }[]
  value: Value | undefined
  /** Sorts the list, and leaves out nothing. */
  isSort?: boolean | undefined
  onChange: (value: Value | undefined) => void
}

/** Chooses one value, or all. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, all, choices, value, isSort, onChange } = props
  const { t } = useLingui()
  const chosen = value && (choices.find((choice) => choice.value === value)?.label ?? value)
  return (
    <FoldedField label={label} chosen={chosen} isSort={isSort} onRemove={() => onChange(undefined)}>
      <Select
        label={label}
        value={value ?? ''}
        options={[{ value: '', label: all ?? t`All` }, ...choices]}
        onChange={({ target }) => onChange(choices.find((choice) => choice.value === target.value)?.value)}
      />
    </FoldedField>
  )
}

interface CodeFilterProps {
  label: string
  value: string | undefined
  onChange: (code: string | undefined) => void
}

/** Filters by a code once it is typed. */
export function CodeFilter({ label, value = '', onChange }: CodeFilterProps) {
  const apply = (typed: string) => {
    if (typed.trim() !== value) onChange(typed.trim() || undefined)
  }
  return (
    <FoldedField label={label} chosen={value || undefined} onRemove={() => onChange(undefined)}>
      <TextField
        // Another address has another code.
        key={value}
        className={styles.day}
        label={label}
        defaultValue={value}
        maxLength={maxSearchText}
        autoComplete="off"
        spellCheck={false}
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value)}
      />
    </FoldedField>
  )
}

interface AmountFieldProps {
  label: string
  /** Minor units of the store's currency, as are its limits. */
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (amount: string | undefined) => void
}

/** Filters by an amount once it is typed. */
export function AmountField({ label, value, min, max, onChange }: AmountFieldProps) {
  const { t } = useLingui()
  const { currency } = useSettings().base
  const { money } = useFormat()
  const shown = value === undefined ? '' : typedAmount(Number(value), currency)
  const chosen = value === undefined ? undefined : money({ amount: Number(value), currency })
  const [refused, setRefused] = useState<number>()
  const lowest = money({ amount: Number(min ?? 0), currency })
  const highest = money({ amount: Number(max ?? 0), currency })
  const refusalOf = (amount: number) => {
    if (min !== undefined && amount < Number(min)) return t`Enter ${lowest} or more.`
    return max !== undefined && amount > Number(max) ? t`Enter ${highest} or less.` : undefined
  }
  const apply = (typed: string) => {
    const amount = amountOf(typed, currency)
    const isRefused = typed !== '' && refusalOf(amount) !== undefined
    setRefused(isRefused ? amount : undefined)
    if (!isRefused && typed !== shown) onChange(typed === '' ? undefined : String(amount))
  }
  return (
    <FoldedField label={label} chosen={chosen} onRemove={() => onChange(undefined)}>
      <MoneyField
        // Another address has another amount.
        key={shown}
        className={styles.day}
        currency={currency}
        label={label}
        defaultValue={shown}
        error={refused === undefined ? undefined : refusalOf(refused)}
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value)}
      />
    </FoldedField>
  )
}

interface DayFieldProps {
  label: string
  value: string | undefined
  /** The first and the last day that can be chosen. */
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | undefined) => void
}

interface DayRangeProps {
  from: string | undefined
  to: string | undefined
  /** Other names of the fields than From and To. */
  labels?: Record<'from' | 'to', string>
  onFrom: (day: string | undefined) => void
  onTo: (day: string | undefined) => void
}

/** Filters by a range of days, both inclusive. One that ends before it begins is refused. */
export function DayRange({ from, to, labels, onFrom, onTo }: DayRangeProps) {
  const { t } = useLingui()
  return (
    <>
      <DayField label={labels?.from ?? t`From`} value={from} max={to} onChange={onFrom} />
      <DayField label={labels?.to ?? t`To`} value={to} min={from} onChange={onTo} />
    </>
  )
}

/** Filters by a day. One outside its limits stays in the field, which says so. */
export function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  const { t } = useLingui()
  const { day } = useFormat()
  const [refused, setRefused] = useState<string>()
  const first = min && day(min)
  const last = max && day(max)
  const refusalOf = (typed: string) => {
    if (min !== undefined && typed < min) return t`Enter ${first} or later.`
    return max !== undefined && typed > max ? t`Enter ${last} or earlier.` : undefined
  }
  const error = refused === undefined ? undefined : refusalOf(refused)
  return (
    <FoldedField label={label} chosen={value && day(value)} onRemove={() => onChange(undefined)}>
      <TextField
        className={styles.day}
        type="date"
        label={label}
        min={min}
        max={max}
        value={(error && refused) || (value ?? '')}
        error={error}
        onChange={({ target }) => {
          const isRefused = target.value !== '' && refusalOf(target.value) !== undefined
          setRefused(isRefused ? target.value : undefined)
          if (!isRefused) onChange(target.value || undefined)
        }}
      />
    </FoldedField>
  )
}
