import type { BankFault } from '#api/modules/billing/providers/sandbox/ledger.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { keyed, terms } from './buying.ts'
import { plainSettings } from './settings.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** A store that accepts cards and deposits. */
export const createBankTenant = (api: TestApi): Promise<Tenant> => {
  const settings = plainSettings()
  settings.order.methods = ['CARD', 'BANK']
  return createTenant(api, { settings })
}

/**
 * The sandbox's test bank at one account, as a browser without script uses it. Amounts are minor
 * units of two digits.
 */
export const openTestBank = (api: TestApi, account: string) => {
  const url = new URL('/sandbox/bank', api.origin)
  const send = (fields: Record<string, string>) =>
    api.fetch(new Request(url, { method: 'POST', body: new URLSearchParams({ account, ...fields }) }))
  const read = async () => (await api.fetch(new Request(`${url}?account=${account}`))).text()
  return {
    read,
    send,
    deposit: (minorUnits: number, how: { late?: boolean; fault?: BankFault } = {}) =>
      send({
        action: 'deposit',
        amount: (minorUnits / 100).toFixed(2),
        when: how.late ? 'late' : 'now',
        fault: how.fault ?? 'NONE',
      }),
    /** Reverses the deposit at this index of the list. */
    reverse: async (place = 0, fault: BankFault = 'NONE') => {
      const ids = [...(await read()).matchAll(/name="deposit" value="([^"]+)"/g)].map(([, id]) => id ?? '')
      return send({ action: 'reverse', deposit: ids[place] ?? '', fault })
    },
  }
}

/** Orders a product and starts its payment by deposit. */
export const beginToDeposit = async (api: TestApi, tenant: Tenant, member: TestMember, product: TestProduct) => {
  const order = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  return depositFor(api, tenant, member, order)
}

export const depositFor = async (api: TestApi, tenant: Tenant, member: TestMember, order: Order) => {
  const { payment, redirectUrl } = await keyed(api, tenant, member).billing.startPayment({
    code: order.code,
    method: 'BANK',
    returnUrl: '/payments/result',
  })
  const account = payment.account!
  return { order, paymentId: payment.id as PaymentId, account, redirectUrl, bank: openTestBank(api, account.number) }
}

export const myAccount = { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' }
