import { useLingui } from '@lingui/react/macro'
import type { Card } from '#contract/cards.ts'
import { leftToRight } from '~/platform/format/use-format'

const two = (value: number) => String(value).padStart(2, '0')

/** How a card is called, and until when it works. */
export function useCardLabels() {
  const { t } = useLingui()
  return {
    /** Visa ···· 4242 */
    name: ({ issuer, lastFour }: Pick<Card, 'issuer' | 'lastFour'>) => leftToRight(`${issuer} ···· ${lastFour}`),
    /** The label for screen readers, without the dots. */
    spoken: ({ issuer, lastFour }: Pick<Card, 'issuer' | 'lastFour'>) => t`${issuer} ending in ${lastFour}`,
    /** Null where the provider does not return it. */
    expiry: ({ expiryMonth, expiryYear }: Pick<Card, 'expiryMonth' | 'expiryYear'>) =>
      expiryMonth === null || expiryYear === null ? null : leftToRight(`${two(expiryMonth)}/${two(expiryYear % 100)}`),
  }
}
