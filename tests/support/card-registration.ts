import { keyed } from './buying.ts'
import type { Tenant, TestMember } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** The sandbox's cards for registration, by the outcome of their charges. */
export const storedTestCards = {
  success: '4242 4242 4242 4242',
  challenge: '4000 0000 0000 3220',
  declined: '4000 0000 0000 0002',
  declinedLater: '4000 0000 0000 0341',
  insufficientFunds: '4000 0000 0000 9995',
  renewalsDeclined: '4000 0000 0000 0705',
  recovers: '4000 0000 0000 0804',
  timeout: '4000 0000 0000 0119',
  late: '4000 0000 0000 0259',
  expiresSoon: '4000 0000 0000 0903',
} as const
export type StoredCardName = keyof typeof storedTestCards

/** The hosted page for the registration of a card, as a browser without script uses it. */
export const openRegistrationPage = (api: TestApi, redirectUrl: string) => {
  const url = new URL(redirectUrl, api.origin)
  const send = (fields: Record<string, string>) =>
    api.fetch(new Request(url, { method: 'POST', body: new URLSearchParams(fields) }))
  return {
    url,
    read: () => api.fetch(new Request(url)),
    send,
    save: (number: string, more: Record<string, string> = {}) =>
      send({ action: 'save', number, expiry: '12 / 40', cvc: '123', name: 'Mina Park', ...more }),
    challenge: (code: string) => send({ action: 'challenge', code }),
    cancel: () => send({ action: 'cancel' }),
  }
}

/** Starts the registration of a card. */
export const beginCard = async (api: TestApi, tenant: Tenant, member: TestMember, replaces?: string) => {
  const { id, redirectUrl } = await keyed(api, tenant, member).billing.registerCard({
    returnUrl: '/mypages/cards',
    ...(replaces ? { replaces: replaces as never } : {}),
  })
  return { id, page: openRegistrationPage(api, redirectUrl) }
}

/** Registers a card completely. */
export const addCard = async (
  api: TestApi,
  tenant: Tenant,
  member: TestMember,
  name: StoredCardName = 'success',
  replaces?: string,
) => {
  const { id, page } = await beginCard(api, tenant, member, replaces)
  await page.save(storedTestCards[name])
  const { card } = await member.client.billing.confirmCard({ id })
  if (!card) throw new Error(`The card ${name} was not registered`)
  return card
}
