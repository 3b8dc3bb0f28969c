import { Suspense, useId, useState } from 'react'
import { IconButton } from './button'
import type { CalendarLabels } from './date-calendar'
import { classNames } from './element'
import { Field, type FieldText, useFieldAttributes } from './field'
import styles from './field.module.css'
import { lazyPart, useHydrated } from './visibility'

const parts = /yyyy|yy|mm|dd/g

/** Formats an ISO date in a format such as `mm/dd/yy`; empty for none. */
function writeDate(iso: string, format: string): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  if (!day) return ''
  const written: Record<string, string> = { yyyy: year, yy: year.slice(-2), mm: month, dd: day }
  return format.replace(parts, (part) => written[part] ?? part)
}

/**
 * Parses a date in a format, or as year/month/day where four digits come first, to an ISO date.
 * Two-digit years are of this century. Undefined for an invalid date.
 */
function readDate(text: string, format: string): string | undefined {
  const numbers = latinDigits(text).match(/\d+/g) ?? []
  const order = numbers[0]?.length === 4 ? ['yyyy', 'mm', 'dd'] : (format.match(parts) ?? [])
  if (numbers.length !== order.length) return undefined
  const read = new Map(order.map((part, index) => [part.slice(0, 1), numbers[index] ?? '']))
  const { y = '', m = '', d = '' } = Object.fromEntries(read)
  const iso = `${y.length === 2 ? `20${y}` : y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  return isDay(iso) ? iso : undefined
}

const isDay = (iso: string) => {
  const time = Date.parse(`${iso}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(iso) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso)
}

const latinDigits = (text: string) =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)).replace(/[０-９]/g, (d) => d.normalize('NFKC'))

const DateCalendar = lazyPart(() => import('./date-calendar').then((m) => m.DateCalendar))

interface DateFieldLabels extends CalendarLabels {
  /** The format in the page's language, as placeholder. */
  format: string
  /** The error of an invalid date. */
  unreadable: string
  /** The error of a date before `min` or after `max`. */
  outOfRange: string
}

export interface DateFieldProps extends Omit<FieldText, 'error'> {
  name: string
  /** All dates are ISO dates, `yyyy-mm-dd`; empty or undefined for none. */
  value?: string | undefined
  min?: string | undefined
  max?: string | undefined
  /** The format for display and input, made of `mm`, `dd` and `yy` or `yyyy`. */
  format: string
  /** The first column of the calendar: 0 for Sunday. */
  firstDay: number
  labels: DateFieldLabels
  /** Called when a day is chosen in the calendar, or cleared (empty). */
  onChoose?: ((iso: string) => void) | undefined
}

/**
 * A date field with a calendar. Submits an ISO date. Without JavaScript it is a native date input.
 */
export function DateField(props: DateFieldProps) {
  const { name, value = '', min, max, format, firstDay, labels, onChoose, label, hint, optional, aside } = props
  const hydrated = useHydrated()
  const [previousValue, setPreviousValue] = useState(value)
  const [iso, setIso] = useState(value)
  const [text, setText] = useState(writeDate(value, format))
  const [hasLeft, setLeft] = useState(true)
  /** The dates typed since the field showed its value. */
  const [typed, setTyped] = useState<readonly string[]>([])
  const [open, setOpen] = useState<boolean>()
  const setDate = (next: string) => {
    setTyped([])
    setIso(next)
    setText(writeDate(next, format))
  }
  if (previousValue !== value) {
    setPreviousValue(value)
    // The answer to an earlier date must not replace what has been typed since.
    const isEarlier = typed.length > 0 && (!hasLeft || (value !== '' && typed.includes(value)))
    if (iso === value) setTyped([])
    else if (!isEarlier) setDate(value)
  }

  const outOfRange = Boolean(iso && ((min && iso < min) || (max && iso > max)))
  const problem = text.trim() && !iso ? labels.unreadable : outOfRange ? labels.outOfRange : ''
  const error = hasLeft && problem
  const attributes = useFieldAttributes(undefined, { hint, error })
  const [control, trigger] = [useId(), useId()]

  const type = (text: string) => {
    const date = readDate(text, format) ?? ''
    setLeft(false)
    setText(text)
    setIso(date)
    setTyped([...typed, date])
  }
  const choose = (day: string) => {
    setLeft(true)
    setDate(day)
    onChoose?.(day)
  }

  return (
    <Field label={label} hint={hint} error={error} optional={optional} aside={aside} id={attributes.id}>
      <div className={styles.adorned} id={control}>
        {hydrated ? (
          <>
            <input
              key="typed"
              type="text"
              {...attributes}
              className={classNames(styles.control, styles.withEnd)}
              placeholder={labels.format}
              autoComplete="off"
              value={text}
              ref={(input) => input?.setCustomValidity(problem)}
              onChange={({ target }) => type(target.value)}
              onBlur={() => setLeft(true)}
            />
            <input type="hidden" name={name} value={iso} />
            <span className={styles.adornmentEnd}>
              <IconButton
                id={trigger}
                icon="calendar"
                label={labels.open}
                size="s"
                aria-haspopup="dialog"
                aria-expanded={Boolean(open)}
                onClick={() => setOpen(!open)}
              />
            </span>
          </>
        ) : (
          <input
            key="native"
            type="date"
            {...attributes}
            className={styles.control}
            name={name}
            defaultValue={value}
            min={min}
            max={max}
            ref={(input) => () => {
              if (input && input.value !== iso) setDate(input.value)
            }}
          />
        )}
        {open !== undefined && (
          <Suspense>
            <DateCalendar
              open={open}
              control={control}
              trigger={trigger}
              min={min}
              max={max}
              firstDay={firstDay}
              labels={labels}
              value={iso}
              onOpen={setOpen}
              onChoose={choose}
            />
          </Suspense>
        )}
      </div>
    </Field>
  )
}
