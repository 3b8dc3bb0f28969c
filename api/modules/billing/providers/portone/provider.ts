import {
  type CreatedPayment,
  type CreatePayment,
  type Merchant,
  type PaymentProvider,
  ProviderUnavailable,
  type RefundAccount,
} from '#api/modules/billing/providers/provider.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { PaymentId } from '#contract/ids.ts'
import {
  accountOf,
  bankCode,
  type Client,
  type ClientOptions,
  createClient,
  isAccountRefusal,
  isBank,
  type KnownPayment,
  noticeUrls,
  nullWhenRefused,
  portOneRefusal,
  refundTotals,
  requireKnownStatus,
  toProviderPayment,
} from './client.ts'
import { type BridgeRequest, bridgePath, inApi, inBrowser, readPortOneEvent } from './pages.ts'
import { createPortOneVault } from './vault.ts'

export interface PortOneOptions extends ClientOptions {
  webhookSecret: string
  /** The channel for card payments. */
  channelKey: string
  /** The channel that issues accounts for deposits, and their bank. BANK requires both. */
  bankChannelKey?: string | undefined
  bank?: string | undefined
  /** The channel that stores cards. Subscriptions require it. */
  billingChannelKey?: string | undefined
  /** The address of PortOne's browser script. */
  scriptUrl?: string | undefined
  /** Origins of scripts that the channel's gateway loads, separated by spaces. */
  gatewayOrigins?: string | undefined
  /** Encrypts a page's request into its address. */
  pageSecret: string
}

const script = 'https://cdn.portone.io/v2/browser-sdk.js'

const isOpen = (status: string) => status === 'READY' || status === 'FAILED'

/**
 * Refunds until `total` minor units of a payment have been refunded in all.
 *
 * @throws ProviderUnavailable while a refund by the bank is in progress, or when PortOne gives no
 * reason for its refusal. The caller asks again later.
 */
const refundUpTo = async (
  client: Client['client'],
  find: (reference: PaymentId) => Promise<KnownPayment | null>,
  reference: PaymentId,
  total: number,
  account: RefundAccount | undefined,
): ReturnType<PaymentProvider['refund']> => {
  const payment = await find(reference)
  const before = payment && toProviderPayment(reference, payment)
  if (!payment || before?.status !== 'PAID') return { code: 'REFUSED', reason: 'NOT_PAID' } as const
  if (total > before.amount.amount) return { code: 'REFUSED', reason: 'MORE_THAN_PAID' } as const
  if (before.refunded >= total) return { code: 'REFUNDED', payment: before } as const
  if (refundTotals(payment).pending > 0) throw new ProviderUnavailable('A refund by the bank is still in progress')
  const code = account && bankCode(account.bank)
  if (account && !code) return { code: 'REFUSED', reason: 'BANK_UNKNOWN' } as const
  try {
    const { cancellation } = await client.cancelPayment({
      paymentId: reference,
      amount: total - before.refunded,
      // If a repeat, a race or a second window has changed this amount, PortOne refuses.
      currentCancellableAmount: before.amount.amount - before.refunded,
      reason: 'Refund',
      requester: 'CUSTOMER',
      ...(account && code
        ? {
            refundAccount: {
              bank: code,
              number: account.number.replaceAll(/\D/g, ''),
              holderName: account.holder,
            },
          }
        : {}),
    })
    if (cancellation.status === 'REQUESTED') throw new ProviderUnavailable('The bank takes its time')
  } catch (error) {
    const refusal = portOneRefusal(error)
    if (refusal === null || refusal === 'CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN')
      throw new ProviderUnavailable('Asked again later', { cause: error })
    return { code: 'REFUSED', reason: refusal } as const
  }
  const after = await find(reference)
  const view = after && toProviderPayment(reference, after)
  if (!view || view.refunded < total) return { code: 'REFUSED', reason: 'CANCEL_FAILED' } as const
  return { code: 'REFUNDED', payment: view } as const
}

/**
 * Creates the provider for PortOne V2, on its official library: card payments in its script's
 * window, deposits to accounts issued by its API, stored cards as billing keys. Our payment id is
 * PortOne's payment id, which it charges once.
 */
export const createPortOneProvider = (options: PortOneOptions): PaymentProvider => {
  const { storeId, channelKey, bankChannelKey, bank, billingChannelKey } = options
  const speaker: Client = createClient(options)
  const { client, callPortOne } = speaker

  const find = async (reference: PaymentId) => {
    const payment = await nullWhenRefused('PAYMENT_NOT_FOUND', client.getPayment({ paymentId: reference }))
    return payment && requireKnownStatus(payment)
  }

  const page = (
    merchant: Merchant,
    input: Pick<BridgeRequest, 'kind' | 'reference' | 'locale' | 'title' | 'request'> & { returnUrl: string },
  ) =>
    bridgePath(options.pageSecret, {
      ...input,
      customerId: merchant.id,
      returnUrl: merchant.origin + input.returnUrl,
      scriptUrl: options.scriptUrl ?? script,
      gatewayOrigins: options.gatewayOrigins?.split(/\s+/).filter(Boolean) ?? [],
      request: { storeId, redirectUrl: merchant.origin + input.returnUrl, ...noticeUrls(merchant), ...input.request },
    })

  const openWindow = async (merchant: Merchant, input: CreatePayment): Promise<CreatedPayment> => {
    const { reference, title, locale, returnUrl, buyer } = input
    const { amount: totalAmount, currency } = input.amount
    // A registered amount cannot be changed in the browser.
    await nullWhenRefused('ALREADY_PAID', client.preRegisterPayment({ paymentId: reference, totalAmount, currency }))
    const request = {
      channelKey,
      paymentId: reference,
      orderName: title.slice(0, 100),
      totalAmount,
      currency,
      payMethod: 'CARD',
      customer: inBrowser(buyer),
    }
    const redirectUrl = page(merchant, { kind: 'PAYMENT', reference, title, locale, returnUrl, request })
    return { providerRef: reference, redirectUrl, account: null }
  }

  const issueAccount = async (merchant: Merchant, input: CreatePayment): Promise<CreatedPayment> => {
    if (!bank || !bankChannelKey || !input.dueAt) throw new ProviderUnavailable('No account is issued here')
    const { reference, amount } = input
    const before = await find(reference)
    if (!before || isOpen(before.status)) {
      await client.payInstantly({
        paymentId: reference,
        channelKey: bankChannelKey,
        orderName: input.title.slice(0, 100),
        amount: { total: amount.amount },
        currency: amount.currency,
        ...noticeUrls(merchant),
        customer: inApi(input.buyer),
        method: {
          virtualAccount: { bank, expiry: { dueDate: input.dueAt.toISOString() }, option: { type: 'NORMAL' } },
        },
      })
    }
    const issued = await find(reference)
    const account = issued && accountOf(issued, merchant.code, input.dueAt)
    if (!account) throw new ProviderUnavailable('PortOne issued no account')
    return { providerRef: reference, redirectUrl: null, account }
  }

  return {
    name: 'portone',
    methods: bank && bankChannelKey && isBank(bank) ? ['CARD', 'BANK'] : ['CARD'],
    // PortOne's window opens on a page of the store.
    pageOrigins: [],
    // Korean gateways reject a buyer without them, and send the deposit account to the phone.
    buyerNeeds: ['name', 'phone'],

    createPayment: (merchant, input) =>
      callPortOne(() => (input.method === 'BANK' ? issueAccount(merchant, input) : openWindow(merchant, input))),

    query: (_merchant, reference) =>
      callPortOne(async () => {
        const payment = await find(reference)
        return payment && toProviderPayment(reference, payment)
      }),

    cancel: (_merchant, reference) =>
      callPortOne(async () => {
        const payment = await find(reference)
        if (payment?.status === 'VIRTUAL_ACCOUNT_ISSUED') {
          await nullWhenRefused('PAYMENT_NOT_WAITING_FOR_DEPOSIT', client.closeVirtualAccount({ paymentId: reference }))
          const closed = await find(reference)
          return closed && toProviderPayment(reference, closed)
        }
        if (!payment) return null
        // An unused window leaves nothing to close. Its page no longer opens one.
        const view = toProviderPayment(reference, payment)
        return payment.status === 'READY' ? { ...view, status: 'CANCELLED', failure: 'CLOSED_BY_STORE' } : view
      }),

    refund: (_merchant, reference, total, account) =>
      callPortOne(() => refundUpTo(client, find, reference, total, account)),

    cards: billingChannelKey ? createPortOneVault(speaker, { channelKey: billingChannelKey, find, page }) : null,
    verifyWebhook: (headers, body) => readPortOneEvent(options.webhookSecret, storeId, headers, body),
    acceptsAccount: async () => {
      try {
        await callPortOne(() => find(newId<PaymentId>()))
        return true
      } catch (error) {
        if (error instanceof ProviderUnavailable && isAccountRefusal(error.cause)) return false
        throw error
      }
    },
  }
}
