import { createHmac, randomUUID } from 'node:crypto'
import { openProviderServer, type ProviderAnswer } from './provider-server.ts'

type Json = Record<string, unknown>
interface Cancellation extends Json {
  status: 'SUCCEEDED' | 'REQUESTED' | 'FAILED'
  totalAmount: number
}
interface Payment extends Json {
  id: string
  status: string
  amount: { total: number; paid: number; cancelled: number } & Json
  cancellations: Cancellation[]
}
interface BillingKey extends Json {
  status: 'ISSUED' | 'DELETED'
  billingKey: string
  customer: { id: string } & Json
}

const webhookKey = Buffer.from('a key of thirty-two bytes, local')
export const portOneSecrets = {
  apiSecret: 'a-local-api-secret',
  webhookSecret: `whsec_${webhookKey.toString('base64')}`,
}
export const portOneStore = { storeId: 'store-local', channelKey: 'channel-key-cards' }

const ok = (body: unknown): ProviderAnswer => ({ status: 200, body })
const refused = (status: number, type: string, more: Json = {}): ProviderAnswer => ({
  status,
  body: { type, message: type, ...more },
})
const at = () => new Date().toISOString()

/** The headers PortOne signs a message with (Standard Webhooks). */
export const signPortOne = (body: string, when: Date, id = `msg_${randomUUID()}`, key: Buffer = webhookKey) => {
  const timestamp = Math.floor(when.getTime() / 1000).toString()
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

/** A local server that speaks PortOne's documented protocol, as far as the store asks it. */
export const openPortOneServer = async () => {
  const payments = new Map<string, Payment>()
  const registered = new Map<string, Json>()
  const keys = new Map<string, BillingKey>()
  /** Billing keys that are declined when they are charged. */
  const declining = new Set<string>()
  /** With `slow`, refunds to bank accounts are accepted and settled later. */
  const bank = { slow: false }

  const make = (id: string, status: string, body: Json): Payment => {
    const total = (body.amount as { total: number }).total
    const payment: Payment = {
      id,
      status,
      transactionId: randomUUID(),
      merchantId: 'merchant-local',
      storeId: portOneStore.storeId,
      channel: { type: 'TEST', key: body.channelKey, pgProvider: 'HTML5_INICIS', pgMerchantId: 'local' },
      version: 'V2',
      requestedAt: at(),
      updatedAt: at(),
      statusChangedAt: at(),
      orderName: body.orderName,
      amount: {
        total,
        taxFree: 0,
        discount: 0,
        paid: status === 'PAID' ? total : 0,
        cancelled: 0,
        cancelledTaxFree: 0,
      },
      currency: body.currency,
      customer: { id: 'local' },
      disputes: [],
      cancellations: [],
      ...(status === 'PAID' ? { paidAt: at() } : {}),
    }
    payments.set(id, payment)
    return payment
  }
  const card = (lastFour: string) => ({
    type: 'PaymentMethodCard',
    card: {
      publisher: 'SHINHAN',
      issuer: 'SHINHAN_CARD',
      brand: 'LOCAL',
      name: '신한카드',
      number: `433012******${lastFour}`,
    },
  })

  const instantly = (id: string, body: Json): ProviderAnswer => {
    const open = payments.get(id)
    if (open && open.status !== 'READY' && open.status !== 'FAILED') return refused(409, 'ALREADY_PAID')
    const account = (body.method as { virtualAccount?: { bank: string; expiry: { dueDate?: string } } }).virtualAccount
    if (!account?.expiry.dueDate) return refused(400, 'INVALID_REQUEST')
    const payment = make(id, 'VIRTUAL_ACCOUNT_ISSUED', body)
    payment.method = {
      type: 'PaymentMethodVirtualAccount',
      bank: account.bank,
      accountNumber: `56211${id.replaceAll(/\D/g, '').slice(-9)}`,
      accountType: 'NORMAL',
      remitteeName: '마키',
      expiredAt: account.expiry.dueDate,
      issuedAt: at(),
    }
    return ok({ payment: { pgTxId: randomUUID(), paidAt: at() } })
  }

  const withKey = (id: string, body: Json): ProviderAnswer => {
    if (payments.get(id)?.status === 'PAID') return refused(409, 'ALREADY_PAID')
    const key = keys.get(String(body.billingKey))
    if (!key) return refused(404, 'BILLING_KEY_NOT_FOUND')
    if (key.status === 'DELETED') return refused(409, 'BILLING_KEY_ALREADY_DELETED')
    if (declining.has(key.billingKey)) {
      const declined = make(id, 'FAILED', body)
      Object.assign(declined, {
        failedAt: at(),
        failure: { reason: '한도초과', pgCode: 'LIMIT_EXCEEDED', pgMessage: '한도초과' },
      })
      return refused(502, 'PG_PROVIDER', { pgCode: 'LIMIT_EXCEEDED', pgMessage: '한도초과' })
    }
    make(id, 'PAID', body).method = card('4242')
    return ok({ payment: { pgTxId: randomUUID(), paidAt: at() } })
  }

  const settleCancel = (payment: Payment) => {
    const done = payment.cancellations.filter(({ status }) => status === 'SUCCEEDED')
    payment.amount.cancelled = done.reduce((sum, one) => sum + one.totalAmount, 0)
    if (payment.amount.cancelled > 0)
      payment.status = payment.amount.cancelled < payment.amount.total ? 'PARTIAL_CANCELLED' : 'CANCELLED'
    payment.cancelledAt = at()
  }
  const cancel = (id: string, body: Json): ProviderAnswer => {
    const payment = payments.get(id)
    if (!payment) return refused(404, 'PAYMENT_NOT_FOUND')
    if (payment.status === 'CANCELLED') return refused(409, 'PAYMENT_ALREADY_CANCELLED')
    if (payment.status !== 'PAID' && payment.status !== 'PARTIAL_CANCELLED') return refused(409, 'PAYMENT_NOT_PAID')
    const remaining = payment.amount.total - payment.amount.cancelled
    if (body.currentCancellableAmount !== undefined && body.currentCancellableAmount !== remaining)
      return refused(409, 'CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN')
    const amount = Number(body.amount ?? remaining)
    if (amount > remaining) return refused(409, 'CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT')
    const account = (payment.method as Json | undefined)?.type === 'PaymentMethodVirtualAccount'
    if (account && !body.refundAccount) return refused(400, 'INVALID_REQUEST')
    const cancellation: Cancellation = {
      status: account && bank.slow ? 'REQUESTED' : 'SUCCEEDED',
      id: randomUUID(),
      totalAmount: amount,
      taxFreeAmount: 0,
      vatAmount: 0,
      reason: body.reason,
      requestedAt: at(),
      refundAccount: body.refundAccount,
    }
    payment.cancellations.push(cancellation)
    settleCancel(payment)
    return ok({ cancellation })
  }

  const server = await openProviderServer(({ method, path, query, headers, body }) => {
    if (headers.authorization !== `PortOne ${portOneSecrets.apiSecret}`) return refused(401, 'UNAUTHORIZED')
    const input = (body ? JSON.parse(body) : {}) as Json
    const [, area, id = '', act] = path.split('/').map(decodeURIComponent)
    if (area === 'billing-keys' && method === 'GET' && !id) {
      const { filter } = JSON.parse(query.get('requestBody') ?? '{}') as { filter?: { customerId?: string } }
      const items = [...keys.values()].filter(({ customer }) => customer.id === filter?.customerId)
      return ok({ items, page: { number: 0, size: 10, totalCount: items.length } })
    }
    if (area === 'billing-keys' && method === 'GET') {
      const key = keys.get(id)
      return key ? ok(key) : refused(404, 'BILLING_KEY_NOT_FOUND')
    }
    if (area === 'billing-keys' && method === 'DELETE') {
      const key = keys.get(id)
      if (!key) return refused(404, 'BILLING_KEY_NOT_FOUND')
      if (key.status === 'DELETED') return refused(409, 'BILLING_KEY_ALREADY_DELETED')
      key.status = 'DELETED'
      return ok({ deletedAt: at() })
    }
    if (area !== 'payments') return refused(404, 'INVALID_REQUEST')
    switch (`${method} ${act ?? ''}`.trim()) {
      case 'GET': {
        const payment = payments.get(id)
        return payment ? ok(payment) : refused(404, 'PAYMENT_NOT_FOUND')
      }
      case 'POST pre-register':
        if (payments.get(id)?.status === 'PAID') return refused(409, 'ALREADY_PAID')
        registered.set(id, input)
        return ok({})
      case 'POST instant':
        return instantly(id, input)
      case 'POST billing-key':
        return withKey(id, input)
      case 'POST cancel':
        return cancel(id, input)
      default:
        return closeAccount(id, path)
    }
  })
  const closeAccount = (id: string, path: string): ProviderAnswer => {
    const payment = payments.get(id)
    if (!path.endsWith('/virtual-account/close') || !payment) return refused(404, 'PAYMENT_NOT_FOUND')
    if (payment.status !== 'VIRTUAL_ACCOUNT_ISSUED') return refused(409, 'PAYMENT_NOT_WAITING_FOR_DEPOSIT')
    Object.assign(payment, { status: 'CANCELLED', cancelledAt: at() })
    return ok({ closedAt: at() })
  }

  /** What a browser's script asks for; PortOne refuses an amount other than was registered. */
  const windowed = (request: Json) => {
    const before = registered.get(String(request.paymentId))
    if (before?.totalAmount !== request.totalAmount || before?.currency !== request.currency)
      throw new Error('PortOne says: this is not what was registered.')
    return { ...request, amount: { total: request.totalAmount } }
  }
  const customerOf = ({ customerId, fullName, email, phoneNumber }: Json): BillingKey['customer'] => ({
    id: String(customerId),
    name: fullName,
    email,
    ...(phoneNumber ? { phoneNumber } : {}),
  })
  return {
    ...server,
    payments,
    keys,
    declining,
    bank,
    /** The buyer pays in the window of PortOne's script. */
    pay: (request: Json, { amount }: { amount?: number } = {}) => {
      const inWindow = windowed(request)
      const payment = make(
        String(request.paymentId),
        'PAID',
        amount === undefined ? inWindow : { ...inWindow, amount: { total: amount } },
      )
      payment.method = card('4242')
    },
    decline: (request: Json) =>
      Object.assign(make(String(request.paymentId), 'FAILED', windowed(request)), {
        failedAt: at(),
        failure: { reason: '카드 한도 초과', pgCode: 'CARD_DECLINED' },
      }),
    /** Someone pays into the account of a payment. */
    deposit: (id: string) => {
      const payment = payments.get(id)
      if (payment?.status !== 'VIRTUAL_ACCOUNT_ISSUED') throw new Error('The bank says: there is no such account.')
      Object.assign(payment, { status: 'PAID', paidAt: at() })
      payment.amount.paid = payment.amount.total
    },
    /** The bank settles all requested refunds. */
    finishRefunds: () => {
      for (const payment of payments.values()) {
        for (const one of payment.cancellations) if (one.status === 'REQUESTED') one.status = 'SUCCEEDED'
        if (payment.cancellations.length > 0) settleCancel(payment)
      }
    },
    /** The buyer registers a card in the window. */
    registerCard: (request: Json) => {
      const key: BillingKey = {
        status: 'ISSUED',
        billingKey: `billing-key-${randomUUID()}`,
        merchantId: 'merchant-local',
        issuedAt: at(),
        storeId: request.storeId,
        channels: [],
        customer: customerOf(request.customer as Json),
        methods: [{ type: 'BillingKeyPaymentMethodCard', card: card('1881').card }],
      }
      keys.set(key.billingKey, key)
      return key.billingKey
    },
    event: (type: string, paymentId: string, storeId: string = portOneStore.storeId) =>
      JSON.stringify({ type, timestamp: at(), data: { paymentId, storeId, transactionId: randomUUID() } }),
  }
}
