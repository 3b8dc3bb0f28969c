import { type ComponentPropsWithRef, type ReactNode, useId, useRef } from 'react'
import styles from './choice.module.css'
import { classNames } from './element'
import { FieldError, useEarlyInput, useFieldAttributes } from './field'

export interface CheckboxProps extends ComponentPropsWithRef<'input'> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

/** A native checkbox. Other props go to the `<input>`. */
export function Checkbox({ label, hint, error, className, id, ...input }: CheckboxProps) {
  const attributes = useFieldAttributes(id, { hint, error })
  return (
    <div className={classNames(styles.choice, className)}>
      <label className={styles.row} htmlFor={attributes.id}>
        <input {...input} {...attributes} type="checkbox" className={classNames(styles.input, styles.checkbox)} />
        <span className={styles.label}>{label}</span>
      </label>
      {hint && (
        <span className={styles.hint} id={`${attributes.id}-hint`}>
          {hint}
        </span>
      )}
      <div className={styles.below}>
        <FieldError id={attributes.id} error={error} />
      </div>
    </div>
  )
}

interface RadioOption<Value extends string> {
  value: Value
  label: ReactNode
  hint?: ReactNode
  /** At the end of the row, such as a price. Only with `cards`. */
  end?: ReactNode
  disabled?: boolean | undefined
}

export interface RadioGroupProps<Value extends string> {
  legend: ReactNode
  name: string
  options: readonly RadioOption<Value>[]
  value?: Value | undefined
  defaultValue?: Value | undefined
  onValueChange?: ((value: Value) => void) | undefined
  error?: ReactNode
  required?: boolean | undefined
  /** Frames each option. */
  cards?: boolean | undefined
  className?: string | undefined
}

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { legend, name, options, value, defaultValue, onValueChange, error, required, cards, className } = props
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  useEarlyInput(() => {
    const checked = group.current?.querySelector<HTMLInputElement>('input:checked')?.value
    const option = options.find((option) => option.value === checked)
    if (value !== undefined && option && option.value !== value) onValueChange?.(option.value)
  })
  return (
    <fieldset ref={group} className={className} aria-describedby={error ? `${id}-error` : undefined}>
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
