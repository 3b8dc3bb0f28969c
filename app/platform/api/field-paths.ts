import type { InferContractRouterInputs } from '@orpc/contract'
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
