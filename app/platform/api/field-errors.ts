import type { $ZodIssue } from 'zod/v4/core'
import type { Locale } from '#contract/enumerations.ts'
import { validationMessage } from '#contract/validation-messages.ts'

/** What would be right, in the visitor's language, by field path (`card.number`, `items.0.optionId`). */
export function errorsByField(issues: readonly $ZodIssue[], locale: Locale): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    errors[field] = [...(errors[field] ?? []), validationMessage(issue, locale)]
  }
  return errors
}
