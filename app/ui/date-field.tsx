import { lazy, Suspense, useId, useState } from 'react'
import { classNames } from './class-names'
import type { CalendarLabels } from './date-calendar'
import { readDate, writeDate } from './date-text'
import { Field, type FieldText, useFieldWiring } from './field'
import styles from './field.module.css'
import { IconButton } from './icon-button'
import { useHydrated } from './use-hydrated'

const DateCalendar = lazy(() => import('./date-calendar').then((m) => ({ default: m.DateCalendar })))

interface DateFieldLabels extends CalendarLabels {
  /** The format in the reader's words, shown while nothing is written. */
  format: string
  /** Why a text is refused that is no date in the format. */
  unreadable: string
  /** Why a date before `min` or after `max` is refused. */
  outside: string
}

export interface DateFieldProps extends Omit<FieldText, 'error'> {
  name: string
  /** All dates are ISO days, `yyyy-mm-dd`; empty or undefined for none. */
  value?: string | undefined
  min?: string | undefined
  max?: string | undefined
  /** How a date is shown and read, made of `mm`, `dd` and `yy` or `yyyy`. */
  format: string
  /** The first column of the calendar: 0 for Sunday. */
  firstDay: number
  labels: DateFieldLabels
  /** A day was chosen in the calendar, or cleared there (empty). */
  onChoose?: ((iso: string) => void) | undefined
}

/** A date, typed or chosen in a calendar. It is sent as an ISO day; without script it is the browser's own date input. */
export function DateField(props: DateFieldProps) {
  const { name, value = '', min, max, format, firstDay, labels, onChoose, label, hint, optional, aside } = props
  const hydrated = useHydrated()
  const [given, setGiven] = useState(value)
  const [iso, setIso] = useState(value)
  const [text, setText] = useState(writeDate(value, format))
  const [left, setLeft] = useState(true)
  const [open, setOpen] = useState<boolean>()
  const take = (next: string) => {
    setIso(next)
    setText(writeDate(next, format))
  }
  if (given !== value) {
    setGiven(value)
    if (iso !== value) take(value)
  }

  const outside = Boolean(iso && ((min && iso < min) || (max && iso > max)))
  const problem = text.trim() && !iso ? labels.unreadable : outside ? labels.outside : ''
  const error = left && problem
  const wiring = useFieldWiring(undefined, { hint, error })
  const [control, trigger] = [useId(), useId()]

  const type = (typed: string) => {
    setLeft(false)
    setText(typed)
    setIso(readDate(typed, format) ?? '')
  }
  const choose = (day: string) => {
    setLeft(true)
    take(day)
    onChoose?.(day)
  }

  return (
    <Field {...{ label, hint, error, optional, aside }} id={wiring.id}>
      <div className={styles.adorned} id={control}>
        {hydrated ? (
          <>
            <input
              key="typed"
              type="text"
              {...wiring}
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
            {...wiring}
            className={styles.control}
            name={name}
            defaultValue={value}
            min={min}
            max={max}
            ref={(input) => () => {
              if (input && input.value !== iso) take(input.value)
            }}
          />
        )}
        {open !== undefined && (
          <Suspense>
            <DateCalendar
              {...{ open, control, trigger, min, max, firstDay, labels }}
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
