/** Longer than any field of a form; what is refused is shown again in its form, and must be drawable. */
const longestField = 20_000

/** The fields of a form post; undefined where the body is none that a form sends, or a field is longer than any form's. */
export async function readForm(request: Request): Promise<FormData | undefined> {
  const form = await request.formData().catch(() => undefined)
  if (!form) return undefined
  for (const value of form.values()) if (typeof value === 'string' && value.length > longestField) return undefined
  return form
}
