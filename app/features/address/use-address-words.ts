import { useLingui } from '@lingui/react/macro'

/** What the parts of an address are called, and what each of them wants. */
export function useAddressWords() {
  const { t } = useLingui()
  return {
    labels: { postcode: t`Postcode`, road: t`Street address`, detail: t`Building, floor, door` },
    faults: {
      postcode: t`Enter the postcode, or look the address up.`,
      road: t`Enter the street and number, or look the address up.`,
      detail: t`Keep this under 200 characters.`,
    },
    search: t`Look it up`,
  }
}
