/** Values of which none is undefined: those that could be are optional. */
type Defined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name]
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>
}

/** Returns the values of an object that are defined, under their names. */
export const withoutUndefined = <Values extends object>(values: Values): Defined<Values> =>
  // `fromEntries` does not keep the names of the properties.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>
