import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether script runs: a button that needs it is not drawn before. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
