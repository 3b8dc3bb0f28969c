import { useLingui } from '@lingui/react/macro'
import type { AddressField } from '~/platform/forms/address-values'

/** What the parts of an address are called, and what each of them wants. */
export function useAddressWords() {
  const { t } = useLingui()
  return {
    labels: { postcode: t`Postcode`, road: t`Street address`, detail: t`Building, floor, door` },
    wants: {
      'address.postcode': t`Enter the postcode, or look the address up.`,
      'address.road': t`Enter the street and number, or look the address up.`,
      'address.detail': t`Keep this under 200 characters.`,
    } satisfies Record<AddressField, string>,
    search: t`Look it up`,
  }
}
