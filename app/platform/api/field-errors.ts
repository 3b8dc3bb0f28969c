/** Messages by field path (`card.number`, `items.0.optionId`). */
export function errorsByField(issues: readonly { path: PropertyKey[]; message: string }[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return errors
}
