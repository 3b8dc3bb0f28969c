import { emptyJoin, type JoinValues } from './join-fields'

let kept: JoinValues | undefined

/** What was written into the form, for whoever comes back to it from the code. Neither the password nor a consent is kept. */
export const keptJoin = {
  get: (): JoinValues | undefined => kept,
  keep: (values: JoinValues): void => {
    if (typeof window === 'undefined') return
    const { email, name, phone } = values
    kept = { ...emptyJoin, email, name, phone }
  },
  forget: (): void => {
    kept = undefined
  },
}
