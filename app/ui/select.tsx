import { classNames } from './element'
import { Field, type FieldControlProps, useField } from './field'
import fieldStyles from './field.module.css'
import { Icon } from './icon'
import styles from './select.module.css'
import { VisuallyHidden } from './visibility'

interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
}

export interface SelectProps extends Omit<FieldControlProps<'select'>, 'size' | 'children'> {
  options: readonly SelectOption[]
  /** `s` for toolbars. */
  size?: 's' | 'm' | undefined
  /** Hides the label visually. */
  labelHidden?: boolean | undefined
}

/** A native select. */
export function Select({ options, size, labelHidden, ...props }: SelectProps) {
  const { frame, control } = useField(props)
  const select = (
    <div className={styles.frame}>
      <select
        {...control}
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
      <div className={frame.className}>
        <label htmlFor={frame.id}>
          <VisuallyHidden>{frame.label}</VisuallyHidden>
        </label>
        {select}
      </div>
    )
  }
  return <Field {...frame}>{select}</Field>
}
