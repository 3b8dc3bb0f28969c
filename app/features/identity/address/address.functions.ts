import { queryOptions } from '@tanstack/react-query'
import { addressQuery } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { checked, readFn } from '~/platform/request/server-fn'

/** Postal addresses that contain all words, best match first. */
const searchAddress = readFn()
  .validator(checked(addressQuery))
  .handler(({ data, context }) => context.callApi((api) => api.identity.searchAddress(data)))

/** The addresses that match a text. No request without a text. */
export const addressSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['addresses', text],
    queryFn: ({ signal }) => call((s) => searchAddress({ data: { q: text }, signal: s }), { signal, expected: [429] }),
    select: ({ items }) => items,
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The form field names of a postal address, which are also the paths of the API's errors. */
export const addressFields = ['address.postcode', 'address.road', 'address.detail'] as const
export type AddressField = (typeof addressFields)[number]

export interface AddressValues {
  postcode: string
  road: string
  detail: string
}

export const emptyAddress: AddressValues = { postcode: '', road: '', detail: '' }

/** Whether any part of the address was entered. */
export const isFilled = (address: AddressValues): boolean => Object.values(address).some((part) => part.trim() !== '')

/** Reads the address from a form. */
export function addressValuesOf(form: FormData): AddressValues {
  const text = (field: AddressField) => String(form.get(field) ?? '')
  return { postcode: text('address.postcode'), road: text('address.road'), detail: text('address.detail') }
}
