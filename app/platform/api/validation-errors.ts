import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import type { InferContractRouterInputs } from '@orpc/contract'
import { useSyncExternalStore } from 'react'
import type { Contract } from '#contract/procedures/contract.ts'

type Name<Values> = keyof Values & string

/** The fields of a value that is an object, with the fields one level below them. */
type PathsIn<Values> = Values extends readonly unknown[]
  ? never
  : Values extends object
    ? { [Field in Name<Values>]-?: Field | `${Field}.${NamesIn<NonNullable<Values[Field]>>}` }[Name<Values>]
    : never
type NamesIn<Value> = Value extends readonly unknown[] ? never : Value extends object ? Name<Value> : never

type PathsOfGroup<Inputs> = { [Procedure in keyof Inputs]: PathsIn<Inputs[Procedure]> }[keyof Inputs]
type PathsOf<Groups> = { [Group in keyof Groups]: PathsOfGroup<Groups[Group]> }[keyof Groups]

/** The path of a field in the input of a procedure, such as `refundAccount.bank`. */
export type FieldPath = PathsOf<InferContractRouterInputs<Contract>>

/** Messages by the path of the field that they are about. */
export type FieldErrors = Readonly<Partial<Record<FieldPath, readonly string[]>>>

const none: FieldErrors = {}
let current = none
const listeners = new Set<() => void>()

function publish(errors: FieldErrors) {
  if (typeof window === 'undefined' || errors === current) return
  current = errors
  for (const listener of listeners) listener()
}

/** The field errors of the latest call that answered 422. Cleared before each request. */
export const validationErrors = {
  get: () => current,
  store: (errors: FieldErrors) => publish(errors),
  clear: () => publish(none),
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The stored errors, by field path. */
export const useValidationErrors = (): FieldErrors => useSyncExternalStore(subscribe, validationErrors.get, () => none)

/** The stored errors of one field. */
export const useFieldErrors = (path: FieldPath): readonly string[] => useValidationErrors()[path] ?? noErrors
const noErrors: readonly string[] = []

/**
 * Returns the error message of a field: the API's, or else the field's own requirement
 * (`messages`).
 * `sent` are the errors of a form posted without JavaScript, with the API's messages where it had
 * any.
 */
export function useFieldMessages<Field extends FieldPath>(
  messages: Partial<Record<Field, MessageDescriptor | string>>,
  sent: Partial<Record<Field, string>> | undefined,
) {
  const { i18n } = useLingui()
  const storedErrors = useValidationErrors()
  return (field: Field, faulty: boolean): string | undefined => {
    const want = messages[field]
    const ownText = want && (typeof want === 'string' ? want : i18n._(want))
    if (storedErrors[field]?.[0]) return storedErrors[field][0]
    if (faulty) return ownText
    return sent?.[field] === undefined ? undefined : sent[field] || ownText
  }
}

/**
 * A form's values as the API takes them, or the invalid fields by the paths of the API's errors.
 */
export type ReadValues<Data, Field extends string> = { ok: true; data: Data } | { ok: false; fields: Field[] }

/** The invalid fields of a failed parse, in the form's order. */
export const invalidFields = <Field extends string>(
  issues: readonly { path: PropertyKey[] }[],
  fields: readonly Field[],
): Field[] => {
  const paths = new Set(issues.map(({ path }) => path.join('.')))
  return fields.filter((field) => paths.has(field))
}

/** Converts the result for the form library's validator. Each field has its own message. */
export const toFieldErrors = (read: ReadValues<unknown, string>) =>
  read.ok ? undefined : { fields: Object.fromEntries(read.fields.map((field) => [field, 'wanted'])) }
