import {
  type ChangeEvent,
  type ComponentPropsWithRef,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { classNames } from './element'
import styles from './field.module.css'
import { Icon } from './icon'
import { useHydrated } from './visibility'

export interface FieldText {
  label: ReactNode
  hint?: ReactNode
  /** The error message, empty without an error. */
  error?: ReactNode
  /** Beside the label of an optional field: "optional". */
  optional?: ReactNode
  /** At the end of the label: a link such as "Forgot your password?". */
  aside?: ReactNode
}

export interface FieldAttributes {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** The attributes that connect a control with its label, hint and error. */
export function useFieldAttributes(id: string | undefined, text: Pick<FieldText, 'hint' | 'error'>): FieldAttributes {
  const ownId = useId()
  const fieldId = id ?? ownId
  const described = classNames(text.error ? errorId(fieldId) : null, text.hint ? hintId(fieldId) : null)
  return { id: fieldId, 'aria-invalid': text.error ? true : undefined, 'aria-describedby': described || undefined }
}

/**
 * Shows a changed value in an uncontrolled field. Unlike a new key, which would make another field
 * of it, this keeps the focus there. What was typed before the page was hydrated stays too.
 *
 * @returns the field's ref
 */
export function useShownValue<Control extends HTMLInputElement | HTMLSelectElement>(value: string) {
  const control = useRef<Control>(null)
  const shown = useRef(value)
  useEffect(() => {
    if (control.current && shown.current !== value) control.current.value = value
    shown.current = value
  }, [value])
  return control
}

/**
 * Runs `report` once where the server rendered the field. What a visitor entered before hydration
 * is in the field, but no event has told the state of it, and the next render would remove it.
 */
export function useEarlyInput(report: () => void): void {
  const hydrating = useRef(!useHydrated())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first render can hydrate
  useLayoutEffect(() => {
    if (hydrating.current) report()
  }, [])
}

/** Whether a control of a form shows something other than at first. */
export const isFilled = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=hidden]), textarea')].some(
    (control) =>
      control.value !== control.defaultValue || ('checked' in control && control.checked !== control.defaultChecked),
  )

type TextControl = HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement

/** `useEarlyInput` for a control whose value is state. */
function useEarlyValue(id: string, { value, onChange }: Pick<ComponentPropsWithRef<'input'>, 'value' | 'onChange'>) {
  useEarlyInput(() => {
    // The id is that of the field's control.
    const target = document.getElementById(id) as TextControl | null
    if (!target || value === undefined || target.value === value) return
    // The handlers of fields read only the target of an event.
    onChange?.({ target, currentTarget: target } as ChangeEvent<TextControl>)
  })
}

/** What a field shows around its control. */
interface FieldFrame extends FieldText {
  /** The control's id. */
  id: string
  className?: string | undefined
}

/** The props of a control with a label: the field's texts, and the attributes of the element. */
export type FieldControlProps<Element extends 'input' | 'select' | 'textarea'> = FieldText &
  ComponentPropsWithRef<Element>

/**
 * Separates the props of a labelled control into those of its `Field` and those of its element,
 * and connects both by their ids.
 */
export function useField<Props extends FieldText & { id?: string | undefined; className?: string | undefined }>({
  label,
  hint,
  error,
  optional,
  aside,
  className,
  id,
  ...control
}: Props) {
  const attributes = useFieldAttributes(id, { hint, error })
  useEarlyValue(attributes.id, control)
  const frame: FieldFrame = { label, hint, error, optional, aside, className, id: attributes.id }
  return { frame, control: { ...control, ...attributes } }
}

/** A control with its label, error and hint. */
export function Field({
  id,
  label,
  hint,
  error,
  optional,
  aside,
  className,
  children,
}: FieldFrame & { children: ReactNode }) {
  return (
    <div className={classNames(styles.field, className)}>
      <div className={styles.head}>
        <label className={styles.label} htmlFor={id}>
          {label}
          {optional && <span className={styles.optional}> ({optional})</span>}
        </label>
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
      {children}
      <FieldError id={id} error={error} />
      <FieldHint id={id} hint={hint} />
    </div>
  )
}

export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  if (!error) return null
  return (
    <p className={styles.error} id={errorId(id)}>
      <Icon name="error" size="s" />
      <span>{error}</span>
    </p>
  )
}

function FieldHint({ id, hint }: { id: string; hint: ReactNode }) {
  if (!hint) return null
  return (
    <p className={styles.hint} id={hintId(id)}>
      {hint}
    </p>
  )
}

const errorId = (id: string) => `${id}-error`
const hintId = (id: string) => `${id}-hint`
