import { type ReactNode, useId } from 'react'
import styles from './choice.module.css'
import { classNames } from './class-names'
import { FieldError } from './field'

interface RadioOption {
  value: string
  label: ReactNode
  hint?: ReactNode
  /** At the far edge, such as a price. Only in cards. */
  end?: ReactNode
  disabled?: boolean | undefined
}

export interface RadioGroupProps {
  legend: ReactNode
  name: string
  options: readonly RadioOption[]
  value?: string | undefined
  defaultValue?: string | undefined
  onValueChange?: ((value: string) => void) | undefined
  error?: ReactNode
  required?: boolean | undefined
  /** Each option in a frame of its own. */
  cards?: boolean | undefined
  className?: string | undefined
}

/** One choice of several, all in view. */
export function RadioGroup(props: RadioGroupProps) {
  const { legend, name, options, value, defaultValue, onValueChange, error, required, cards, className } = props
  const id = useId()
  return (
    <fieldset className={className} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.group}>
        {options.map((option) => {
          const optionId = `${id}-${option.value}`
          return (
            <div
              key={option.value}
              className={classNames(styles.choice, cards && styles.card, cards && styles.cardRow)}
            >
              <label className={styles.row} htmlFor={optionId}>
                <input
                  type="radio"
                  id={optionId}
                  name={name}
                  value={option.value}
                  checked={value === undefined ? undefined : value === option.value}
                  defaultChecked={value === undefined ? defaultValue === option.value : undefined}
                  onChange={() => onValueChange?.(option.value)}
                  disabled={option.disabled}
                  required={required}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={option.hint ? `${optionId}-hint` : undefined}
                  className={classNames(styles.input, styles.radio)}
                />
                <span className={styles.label}>
                  {option.label}
                  {option.hint && (
                    <span className={styles.hint} id={`${optionId}-hint`}>
                      {option.hint}
                    </span>
                  )}
                </span>
                {cards && option.end && <span className={styles.end}>{option.end}</span>}
              </label>
            </div>
          )
        })}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}
