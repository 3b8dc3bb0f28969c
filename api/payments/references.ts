import type { CardId, PaymentId } from '#contract/ids.ts'
import type { Merchant } from './port.ts'

/** The provider's own ids, as our books have kept them; null where they have not. */
export interface KnownReferences {
  /** Of a payment, or of a charge of a stored card. */
  payment(merchant: Merchant, reference: PaymentId): Promise<string | null>
  card(merchant: Merchant, reference: CardId): Promise<string | null>
}
