import { useLingui } from '@lingui/react/macro'
import type { AddressField } from '~/platform/forms/address-values'

/** What the parts of an address are called, and what each of them wants. */
export function useAddressWords() {
  const { t } = useLingui()
  return {
    labels: { postcode: t`Postal code`, road: t`Street address`, detail: t`Apartment, floor, unit` },
    wants: {
      'address.postcode': t`Enter your postal code, or search for your address.`,
      'address.road': t`Enter your street address, or search for it.`,
      'address.detail': t`Use 200 characters or fewer.`,
    } satisfies Record<AddressField, string>,
    search: t`Find address`,
  }
}
