import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type * as z from 'zod/mini'
import {
  type CardVault,
  type Merchant,
  type PaymentProvider,
  type ProviderCard,
  ProviderUnavailable,
} from '#api/modules/billing/providers/provider.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type CustomerId, customerId as customerIdSchema } from '#contract/ids.ts'
import type { SandboxCardId, SandboxPaymentId } from './cards.ts'
import { declineOf, lateSeconds } from './cards.ts'
import { announce } from './ledger.ts'
import {
  countCardCharges,
  findCardByReference,
  findCardByToken,
  type InTenant,
  insertCard,
  insertPayment,
  removeCardByToken,
  type SandboxCard,
} from './sandbox.queries.ts'

const pack = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
const unpack = (packed: string) =>
  Buffer.from(packed, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * Returns the address of a hosted page. It contains the merchant and the payment, so that one
 * look-up by key finds it.
 */
export const pageAddress = (customerId: CustomerId, id: SandboxPaymentId) =>
  `/sandbox/pay/${pack(customerId)}${pack(id)}`

/** Returns the address of a card registration page. */
const registrationAddress = (customerId: CustomerId, id: SandboxCardId) =>
  `/sandbox/cards/${pack(customerId)}${pack(id)}`

/** Reads the last part of an address. Returns null if it is invalid. */
export const readPageAddress = <Id extends string>(
  address: string,
  idSchema: z.ZodMiniType<Id>,
): { customerId: CustomerId; id: Id } | null => {
  const [, packedCustomer, packedId] = address.match(/^([\w-]{22})([\w-]{22})$/) ?? []
  if (!packedCustomer || !packedId) return null
  const customerId = customerIdSchema.safeParse(unpack(packedCustomer))
  const id = idSchema.safeParse(unpack(packedId))
  return customerId.success && id.success ? { customerId: customerId.data, id: id.data } : null
}

type Charge = Parameters<CardVault['charge']>[1]

interface VaultDeps {
  inTenant: InTenant
  now: () => Date
  /** Called for a tenant with webhooks to send. */
  onLedgerChange: (customerId: CustomerId) => void
  /** Returns the status of a charge. */
  query: PaymentProvider['query']
}

/** Cards stored at the sandbox: registered on its page, charged by their token. */
export const createVault = ({ inTenant, now, onLedgerChange, query }: VaultDeps): CardVault => ({
  register: (merchant, input) =>
    inTenant(merchant.id, async (db) => {
      const { reference, returnUrl } = input
      await insertCard(db, {
        customerId: merchant.id,
        id: newId(),
        reference,
        returnUrl,
        createdAt: now().toISOString(),
      })
      const card = await findCardByReference(db, merchant.id, reference)
      if (!card) throw new ProviderUnavailable('The sandbox lost a card it had just written.')
      const address = registrationAddress(merchant.id, card.id)
      return { providerRef: card.id, redirectUrl: `${address}?lang=${encodeURIComponent(input.locale)}` }
    }),

  query: (merchant, reference) =>
    inTenant(merchant.id, async (db) => {
      const card = await findCardByReference(db, merchant.id, reference)
      return card ? viewStored(card) : null
    }),

  remove: (merchant, token) => inTenant(merchant.id, (db) => removeCardByToken(db, merchant.id, token)),

  charge: async (merchant, input) => {
    if (await inTenant(merchant.id, (db) => chargeOnce(db, merchant, input, now()))) onLedgerChange(merchant.id)
    const charge = await query(merchant, input.reference)
    if (!charge) throw new ProviderUnavailable('The sandbox lost a charge it had just written.')
    return charge
  },
})

const viewStored = (row: SandboxCard): ProviderCard => {
  const { token, issuer, lastFour, expiryMonth, expiryYear } = row
  const isComplete =
    token !== null && issuer !== null && lastFour !== null && expiryMonth !== null && expiryYear !== null
  return {
    reference: row.reference,
    status: row.status === 'REMOVED' ? 'FAILED' : row.status,
    failure: row.status === 'REMOVED' ? 'CARD_REMOVED' : row.failure,
    card: row.status === 'REGISTERED' && isComplete ? { token, issuer, lastFour, expiryMonth, expiryYear } : null,
  }
}

/**
 * Charges once per reference. Concurrent calls wait for the first one and find it done. Returns
 * whether this call charged.
 */
const chargeOnce = async (db: NodePgDatabase, merchant: Merchant, input: Charge, now: Date): Promise<boolean> => {
  const card = await findCardByToken(db, merchant.id, input.token)
  const failure = await refusal(db, merchant, card, input, now)
  const payment = await insertPayment(db, {
    customerId: merchant.id,
    id: newId(),
    reference: input.reference,
    amount: input.amount.amount,
    currency: input.amount.currency,
    orderName: input.title,
    returnUrl: '/',
    cardToken: input.token,
    scenario: card?.scenario ?? null,
    cardIssuer: card?.issuer ?? null,
    cardLastFour: card?.lastFour ?? null,
    status: failure === null ? 'PAID' : 'FAILED',
    failure,
    chargedAt: failure === null ? now.toISOString() : null,
    createdAt: now.toISOString(),
  })
  if (!payment) return false
  const late = card?.scenario === 'LATE_WEBHOOK' && failure === null
  const lost = card?.scenario === 'TIMEOUT_AFTER_CHARGE'
  if (!lost) {
    const type = failure === null ? 'payment.paid' : 'payment.failed'
    await announce(db, payment, { type, times: 1, afterSeconds: late ? lateSeconds : 0 }, now)
  }
  return true
}

const refusal = async (
  db: NodePgDatabase,
  merchant: Merchant,
  card: SandboxCard | null,
  input: Charge,
  now: Date,
): Promise<string | null> => {
  if (card?.status !== 'REGISTERED') return 'CARD_REMOVED'
  const { scenario: behaviour, expiryMonth, expiryYear } = card
  if (behaviour === null || expiryMonth === null || expiryYear === null) return 'CARD_REMOVED'
  const earlier = await countCardCharges(db, merchant.id, input.token)
  return declineOf({ behaviour, expiryMonth, expiryYear }, earlier, now)
}
