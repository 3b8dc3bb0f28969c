import type { BillingKeyPaymentMethod, IssuedBillingKeyInfo } from '@portone/server-sdk/payment/billingKey'
import type { CardVault, Merchant, ProviderCard, ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import type { PaymentId } from '#contract/ids.ts'
import {
  type Client,
  type KnownPayment,
  noticeUrls,
  nullWhenRefused,
  portOneRefusal,
  toProviderPayment,
} from './client.ts'
import { type BridgeRequest, inBrowser, toCustomerInput } from './pages.ts'

interface VaultDeps {
  channelKey: string
  find: (reference: PaymentId) => Promise<KnownPayment | null>
  page: (
    merchant: Merchant,
    input: Pick<BridgeRequest, 'kind' | 'reference' | 'locale' | 'title' | 'request'> & { returnUrl: string },
  ) => string
}

const cardOf = (methods: readonly BillingKeyPaymentMethod[] | undefined) =>
  methods?.flatMap((method) => ('card' in method && method.card ? [method.card] : []))[0] ?? null

/** PortOne does not return the expiry date of a card, because its gateways do not. */
const cardOfBillingKey = ({ billingKey, methods }: IssuedBillingKeyInfo): NonNullable<ProviderCard['card']> => {
  const card = cardOf(methods)
  return {
    token: billingKey,
    issuer: card?.name ?? card?.issuer ?? 'CARD',
    lastFour: card?.number?.replaceAll(/[^\d*]/g, '').slice(-4) ?? '',
    expiryMonth: null,
    expiryYear: null,
  }
}

/**
 * Cards stored as billing keys: issued in the window of PortOne's script, charged later without
 * their owner.
 */
export const createPortOneVault = (
  { client, callPortOne }: Client,
  { channelKey, find, page }: VaultDeps,
): CardVault => ({
  register: async (merchant, { reference, returnUrl, locale, buyer }) => {
    // The registration's id is the customer id at PortOne. The key is found by it, regardless of
    // what the browser sends.
    const request = {
      channelKey,
      billingKeyMethod: 'CARD',
      issueId: reference,
      customer: { customerId: reference, ...inBrowser(buyer) },
    }
    const redirectUrl = page(merchant, { kind: 'CARD', reference, locale, title: '', returnUrl, request })
    return { providerRef: reference, redirectUrl }
  },

  query: (_merchant, reference) =>
    callPortOne(async (): Promise<ProviderCard | null> => {
      const { items } = await client.billingKey.getBillingKeyInfos({ filter: { customerId: reference } })
      const ofMember = items.filter((item) => 'customer' in item && item.customer.id === reference)
      const issued = ofMember.find((item): item is IssuedBillingKeyInfo => item.status === 'ISSUED')
      if (issued) return { reference, status: 'REGISTERED', failure: null, card: cardOfBillingKey(issued) }
      if (ofMember.length > 0) return { reference, status: 'FAILED', failure: 'CARD_REMOVED', card: null }
      return { reference, status: 'READY', failure: null, card: null }
    }),

  remove: (_merchant, token) =>
    callPortOne(async () => {
      try {
        await client.billingKey.deleteBillingKey({ billingKey: token })
      } catch (error) {
        const refusal = portOneRefusal(error)
        if (refusal !== 'BILLING_KEY_NOT_FOUND' && refusal !== 'BILLING_KEY_ALREADY_DELETED') throw error
      }
    }),

  charge: (merchant, { reference, token, amount, title }) =>
    callPortOne(async (): Promise<ProviderPayment> => {
      const before = await find(reference)
      if (before && before.status !== 'READY') return toProviderPayment(reference, before)
      const key = await nullWhenRefused(
        'BILLING_KEY_NOT_FOUND',
        client.billingKey.getBillingKeyInfo({ billingKey: token }),
      )
      const customer = key && 'customer' in key ? { customer: toCustomerInput(key.customer) } : {}
      try {
        await client.payWithBillingKey({
          ...customer,
          paymentId: reference,
          billingKey: token,
          channelKey,
          orderName: title.slice(0, 100),
          amount: { total: amount.amount },
          currency: amount.currency,
          ...noticeUrls(merchant),
        })
      } catch (error) {
        const refusal = portOneRefusal(error)
        if (refusal === null) throw error
        const declined = await find(reference)
        if (declined) return toProviderPayment(reference, declined)
        const failed = { reference, status: 'FAILED' as const, amount, failure: refusal }
        return { ...failed, card: null, refunded: 0, dueAt: null, unapplied: [] }
      }
      const charged = await find(reference)
      if (!charged) throw new Error('PortOne lost a charge it had just made')
      return toProviderPayment(reference, charged)
    }),
})
