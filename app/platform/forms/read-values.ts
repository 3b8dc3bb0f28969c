/** A form's values as the API takes them, or the fields that are not right yet, by the paths of the API's errors. */
export type ReadValues<Data, Field extends string> = { ok: true; data: Data } | { ok: false; fields: Field[] }

/** The fields that some issue of a schema is about, in the order in which they stand in the form. */
export const invalidFields = <Field extends string>(
  issues: readonly { path: PropertyKey[] }[],
  fields: readonly Field[],
): Field[] => {
  const paths = new Set(issues.map(({ path }) => path.join('.')))
  return fields.filter((field) => paths.has(field))
}

/** What the form's validator answers. The words stand elsewhere: each field knows what it wants. */
export const toFieldErrors = (read: ReadValues<unknown, string>) =>
  read.ok ? undefined : { fields: Object.fromEntries(read.fields.map((field) => [field, 'wanted'])) }
