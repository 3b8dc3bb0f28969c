/** The parts of a postal address by their names in a form, which are also the paths of the API's errors. */
export const addressFields = ['address.postcode', 'address.road', 'address.detail'] as const
export type AddressField = (typeof addressFields)[number]

export interface AddressValues {
  postcode: string
  road: string
  detail: string
}

export const emptyAddress: AddressValues = { postcode: '', road: '', detail: '' }

/** Whether anything of it was entered: an address that was left empty is none. */
export const isGiven = (address: AddressValues): boolean => Object.values(address).some((part) => part.trim() !== '')

/** The address of a real form, as it stands in the page or came in a post. */
export function addressValuesOf(form: FormData): AddressValues {
  const text = (field: AddressField) => String(form.get(field) ?? '')
  return { postcode: text('address.postcode'), road: text('address.road'), detail: text('address.detail') }
}
