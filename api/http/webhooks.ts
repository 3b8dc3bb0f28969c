import type { Deps } from '#api/deps.ts'
import { atProvider } from '#api/domain/payments/env.ts'
import { receiveEvent } from '#api/domain/payments/receive-event.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { unattendedPaymentEnv } from '#api/payment-env.ts'
import { problemResponse } from './problem.ts'

/** Takes a provider's message. It is signed, not signed in; its answer tells the provider only whether to send it again. */
export const answerWebhook = async (
  deps: Deps,
  request: Request,
  { code, provider }: { code: string; provider: string },
  requestId: string,
): Promise<Response> => {
  const customer = await resolveCustomer(deps, code)
  const known =
    provider === deps.sandbox.provider.name || customer?.paymentAccounts.some((one) => one.provider === provider)
  if (!customer || !known) return problemResponse('NOT_FOUND', requestId)
  const env = atProvider(unattendedPaymentEnv(deps, customer, requestId), { provider })
  const reception = await receiveEvent(env, request.headers, await request.text())
  switch (reception.code) {
    case 'RECEIVED':
      return new Response(null, { status: 204 })
    case 'TRY_AGAIN':
      return problemResponse('UNAVAILABLE', requestId)
    case 'BODY_INVALID':
      return problemResponse('BAD_REQUEST', requestId)
    case 'SIGNATURE_INVALID':
    case 'SIGNATURE_TOO_OLD':
      env.log.warn({ reception: reception.code }, 'A webhook was refused')
      return problemResponse('UNAUTHORIZED', requestId)
    default:
      return reception satisfies never
  }
}
