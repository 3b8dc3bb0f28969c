import type { ComponentPropsWithRef } from 'react'
import { classNames } from './element'
import { Field, type FieldText, useFieldAttributes } from './field'
import fieldStyles from './field.module.css'
import { Icon } from './icon'
import styles from './select.module.css'
import { VisuallyHidden } from './visibility'

interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
}

export interface SelectProps extends FieldText, Omit<ComponentPropsWithRef<'select'>, 'size' | 'children'> {
  options: readonly SelectOption[]
  /** `s` for toolbars. */
  size?: 's' | 'm' | undefined
  /** Hides the label visually. */
  labelHidden?: boolean | undefined
}

/** A native select. */
export function Select(props: SelectProps) {
  const { label, hint, error, optional, aside, className, id, options, size, labelHidden, ...select } = props
  const attributes = useFieldAttributes(id, { hint, error })
  const control = (
    <div className={styles.frame}>
      <select
        {...select}
        {...attributes}
        className={classNames(fieldStyles.control, size === 's' && fieldStyles.small, styles.select)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size="s" />
    </div>
  )
  if (labelHidden) {
    return (
      <div className={className}>
        <label htmlFor={attributes.id}>
          <VisuallyHidden>{label}</VisuallyHidden>
        </label>
        {control}
      </div>
    )
  }
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      aside={aside}
      className={className}
      id={attributes.id}
    >
      {control}
    </Field>
  )
}
