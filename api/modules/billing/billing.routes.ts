import type { Sandbox } from '#api/modules/billing/providers/sandbox/hosted-page.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { problemResponse } from '#api/platform/http/problems.ts'
import { os, transactAsMember, unwrap } from '#api/platform/http/procedures.ts'
import { callerKey, consumeSharedLimit } from '#api/platform/http/request-facts.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import { once } from '#api/platform/idempotency.ts'
import { confirmCard, registerCard } from './card-registration.ts'
import { listCards, makeDefault, removeCard } from './cards.ts'
import { atProvider, memberPaymentEnv, type PaymentDeps, unattendedPaymentEnv } from './payment-states.ts'
import { receiveEvent, type SettleReference } from './provider-events.ts'

export const cardProcedures = {
  cards: os.cards.cards.handler(async ({ context }) => ({ items: await transactAsMember(context, listCards) })),
  registerCard: os.cards.registerCard.handler(({ context, input }) =>
    once(context, 'registerCard', input, async () => {
      await consumeSharedLimit(context.deps.limits.cards, context.customer.id, callerKey(context))
      return unwrap(await registerCard(memberPaymentEnv(context), { ...input, locale: callerLocale(context) }))
    }),
  ),
  confirmCard: os.cards.confirmCard.handler(
    async ({ context, input }) => unwrap(await confirmCard(memberPaymentEnv(context), input.id)).confirmed,
  ),
  makeDefault: os.cards.makeDefault.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => makeDefault(ctx, input.id)),
  ),
  removeCard: os.cards.removeCard.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => removeCard(ctx, input.id))
  }),
}

/**
 * Receives a provider's webhook. The signature authenticates it, not a session. The response status
 * only tells the provider whether to deliver the webhook again. `settleOther` handles references
 * that are not payments of an order.
 */
export const answerWebhook = async (
  deps: PaymentDeps & { sandbox: Pick<Sandbox, 'provider'> },
  request: Request,
  { code, provider }: { code: string; provider: string },
  requestId: string,
  settleOther: SettleReference,
): Promise<Response> => {
  const customer = await resolveCustomer(deps, code)
  const known =
    provider === deps.sandbox.provider.name || customer?.paymentAccounts.some((one) => one.provider === provider)
  if (!customer || !known) return problemResponse('NOT_FOUND', requestId)
  const env = atProvider(unattendedPaymentEnv(deps, customer, requestId), { provider })
  const received = await receiveEvent(env, { headers: request.headers, body: await request.text() }, settleOther)
  switch (received.code) {
    case 'RECEIVED':
      return new Response(null, { status: 204 })
    case 'TRY_AGAIN':
      return problemResponse('UNAVAILABLE', requestId)
    case 'BODY_INVALID':
      return problemResponse('BAD_REQUEST', requestId)
    case 'SIGNATURE_INVALID':
    case 'SIGNATURE_TOO_OLD':
      env.log.warn({ result: received.code }, 'A webhook was refused')
      return problemResponse('UNAUTHORIZED', requestId)
    default:
      return received satisfies never
  }
}
