import { type PaymentProvider, ProviderUnavailable } from './port.ts'

/** In the place of a provider that cannot be spoken with: it offers no method, and nothing may be concluded from it. */
export const absentProvider = (name: string): PaymentProvider => {
  const absent = () => Promise.reject(new ProviderUnavailable(`There is no working account at ${name}`))
  return {
    name,
    methods: [],
    pageOrigins: [],
    createPayment: absent,
    query: absent,
    cancel: absent,
    refund: absent,
    cards: null,
    verifyWebhook: () => Promise.resolve({ code: 'SIGNATURE_INVALID' }),
  }
}
