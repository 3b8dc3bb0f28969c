import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, type Ref, useCallback, useEffect, useRef, useState } from 'react'
import { cleanText } from '#contract/text.ts'
import { TextArea as PlainTextArea, TextField as PlainTextField } from '~/ui/text-field'

/** The length of a text as the API counts it. */
export const lengthOf = (text: string): number => cleanText(text).length

/** The part of its limit from which a field says how long its text is. */
const nearLimit = 0.9

type Control = HTMLInputElement | HTMLTextAreaElement

interface Limited<Element extends Control> {
  value?: string | number | readonly string[] | undefined
  defaultValue?: string | number | readonly string[] | undefined
  maxLength?: number | undefined
  hint?: ComponentProps<typeof PlainTextField>['hint']
  error?: ComponentProps<typeof PlainTextField>['error']
  onChange?: ((event: React.ChangeEvent<Element>) => void) | undefined
  ref?: Ref<Element> | undefined
}

/**
 * Returns the props of a field with a limit. A browser cuts a text that is pasted into a field with
 * `maxlength`, without a word: this one keeps it, says what is too much, and is not sent.
 */
function useLimit<Element extends Control>({
  maxLength = Number.POSITIVE_INFINITY,
  hint,
  error,
  onChange,
  ref,
  ...props
}: Limited<Element>) {
  const { t } = useLingui()
  const control = useRef<Element>(null)
  const [typed, setTyped] = useState(() => String(props.defaultValue ?? ''))
  const length = lengthOf(props.value === undefined ? typed : String(props.value))
  const tooLong =
    length > maxLength ? t`Enter no more than ${maxLength} characters. The text has ${length}.` : undefined
  useEffect(() => {
    const field = control.current
    // A field may have an error of its own.
    if (!tooLong || !field) return undefined
    field.setCustomValidity(tooLong)
    return () => field.setCustomValidity('')
  }, [tooLong])
  const initial = String(props.defaultValue ?? '')
  useEffect(() => {
    const reset = new AbortController()
    control.current?.form?.addEventListener('reset', () => setTyped(initial), reset)
    return () => reset.abort()
  }, [initial])
  const attach = useCallback(
    (element: Element | null) => {
      control.current = element
      if (typeof ref === 'function') ref(element)
      else if (ref) ref.current = element
    },
    [ref],
  )
  return {
    ref: attach,
    error: tooLong ?? error,
    hint:
      !tooLong && length >= maxLength * nearLimit ? (
        <>
          {hint}{' '}
          <Trans>
            {length} of {maxLength} characters
          </Trans>
        </>
      ) : (
        hint
      ),
    onChange: (event: React.ChangeEvent<Element>) => {
      setTyped(event.target.value)
      onChange?.(event)
    },
  }
}

/** A text field of a form. A text above `maxLength` stays, and is refused with its length. */
export function TextField({ maxLength, ...props }: ComponentProps<typeof PlainTextField>) {
  return <PlainTextField {...props} {...useLimit({ ...props, maxLength })} />
}

/** A text field of several lines, with the same limit. */
export function TextArea({ maxLength, ...props }: ComponentProps<typeof PlainTextArea>) {
  return <PlainTextArea {...props} {...useLimit({ ...props, maxLength })} />
}
