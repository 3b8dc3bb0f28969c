import type { TestApi } from './test-api.ts'

/** The sandbox's test cards, by their outcome. */
export const cards = {
  success: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficientFunds: '4000 0000 0000 9995',
  challenge: '4000 0000 0000 3220',
  timeout: '4000 0000 0000 0119',
  late: '4000 0000 0000 0259',
  duplicate: '4000 0000 0000 0077',
} as const

/** The hosted card page, as a browser without script uses it. */
export const openCardPage = (api: TestApi, redirectUrl: string) => {
  const url = new URL(redirectUrl, api.origin)
  const send = (fields: Record<string, string>) =>
    api.fetch(new Request(url, { method: 'POST', body: new URLSearchParams(fields) }))
  return {
    url,
    read: (headers: Record<string, string> = {}) => api.fetch(new Request(url, { headers })),
    send,
    pay: (number: string, more: Record<string, string> = {}) =>
      send({ action: 'pay', number, expiry: '12 / 40', cvc: '123', name: 'Mina Park', ...more }),
    challenge: (code: string) => send({ action: 'challenge', code }),
    cancel: () => send({ action: 'cancel' }),
  }
}
