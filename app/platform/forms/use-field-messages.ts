import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useValidationErrors } from './validation-errors'

/**
 * What stands at a field that is not right: the API's words for it, else what the field wants. `sent` are the faults of the form
 * when it came without script, by field and with the API's words where there were any; they go once the form is sent again.
 */
export function useFieldMessages<Field extends string>(
  wants: Partial<Record<Field, MessageDescriptor | string>>,
  sent: Partial<Record<Field, string>> | undefined,
) {
  const { i18n } = useLingui()
  const stored = useValidationErrors()
  return (field: Field, faulty: boolean): string | undefined => {
    const want = wants[field]
    const own = want && (typeof want === 'string' ? want : i18n._(want))
    if (stored[field]?.[0]) return stored[field][0]
    if (faulty) return own
    return sent?.[field] === undefined ? undefined : sent[field] || own
  }
}
