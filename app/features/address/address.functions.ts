import { addressQuery } from '#contract/accounts.ts'
import { checked, readFn } from '~/platform/api/server-fn'

/** Postal addresses that hold all the words, nearest first. */
export const searchAddress = readFn()
  .validator(checked(addressQuery))
  .handler(({ data, context }) => context.ask((api) => api.accounts.searchAddress(data)))
