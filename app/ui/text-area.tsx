import type { ComponentPropsWithRef } from 'react'
import { Field, type FieldText, useFieldWiring } from './field'
import styles from './field.module.css'

export interface TextAreaProps extends FieldText, ComponentPropsWithRef<'textarea'> {}

/** Several lines of text with label, hint and error. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, error, optional, aside, className, id, rows = 4, ...area } = props
  const wiring = useFieldWiring(id, { hint, error })
  return (
    <Field {...{ label, hint, error, optional, aside, className }} id={wiring.id}>
      <textarea {...area} {...wiring} rows={rows} className={styles.control} />
    </Field>
  )
}
