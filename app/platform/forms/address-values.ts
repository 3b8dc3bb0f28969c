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
export const isGiven = (address: AddressValues): boolean => Object.values(address).some((part) => part.trim() !== '')

/** Reads the address from a form. */
export function addressValuesOf(form: FormData): AddressValues {
  const text = (field: AddressField) => String(form.get(field) ?? '')
  return { postcode: text('address.postcode'), road: text('address.road'), detail: text('address.detail') }
}
