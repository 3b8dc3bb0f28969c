import { createHmac, randomUUID } from 'node:crypto'
import { readNestedForm } from './form-body.ts'
import { openProviderServer, type ProviderAnswer, type ProviderRequest } from './provider-server.ts'

type Json = Record<string, unknown>
interface Session extends Json {
  id: string
  status: 'open' | 'complete' | 'expired'
  payment_intent: string | null
  setup_intent: string | null
  customer: string | null
}
interface Intent extends Json {
  id: string
  status: string
  amount: number
  latest_charge: string | null
}
interface Charge extends Json {
  id: string
  amount: number
  amount_refunded: number
}

const ok = (body: unknown): ProviderAnswer => ({ status: 200, body })
const refused = (status: number, error: Json): ProviderAnswer => ({ status, body: { error } })
const missing = (what: string, id: string) =>
  refused(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: what,
    message: `No such ${what}: '${id}'`,
  })
const invalid = (code: string, message: string) => refused(400, { type: 'invalid_request_error', code, message })
const id = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`
const now = () => Math.floor(Date.now() / 1000)

export const stripeSecrets = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' }

/** The header Stripe signs a message with. */
export const signStripe = (body: string, at: Date, secret = stripeSecrets.webhookSecret) => {
  const t = Math.floor(at.getTime() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}

/** A local server that speaks Stripe's documented protocol, as far as the store asks it. */
export const openStripeServer = async () => {
  const sessions = new Map<string, Session>()
  const intents = new Map<string, Intent>()
  const charges = new Map<string, Charge>()
  const setups = new Map<string, Json>()
  const methods = new Map<string, Json & { customer: string | null }>()
  const refunds = new Map<string, Json>()
  const replays = new Map<string, { path: string; body: string; answer: ProviderAnswer }>()
  /** Cards by their last four digits that are declined when charged without their owner. */
  const declining = new Set<string>()

  const shownIntent = (intent: Intent, expand: readonly string[]) => ({
    ...intent,
    latest_charge: expand.some((path) => path.endsWith('latest_charge'))
      ? (charges.get(intent.latest_charge ?? '') ?? null)
      : intent.latest_charge,
  })
  const shownSession = (session: Session, expand: readonly string[]) => {
    const intent = intents.get(session.payment_intent ?? '')
    const setup = setups.get(session.setup_intent ?? '')
    return {
      ...session,
      url: session.status === 'open' ? session.url : null,
      ...(intent && expand.some((path) => path.startsWith('payment_intent'))
        ? { payment_intent: shownIntent(intent, expand) }
        : {}),
      ...(setup && expand.includes('setup_intent.payment_method')
        ? { setup_intent: { ...setup, payment_method: methods.get(String(setup.payment_method)) ?? null } }
        : {}),
    }
  }
  const expansions = (source: Json | URLSearchParams): string[] =>
    source instanceof URLSearchParams
      ? [...source].filter(([name]) => name.startsWith('expand')).map(([, value]) => value)
      : ((source.expand as string[] | undefined) ?? [])

  const createSession = (form: Json): ProviderAnswer => {
    const items = (form.line_items ?? []) as {
      quantity: string
      price_data: { currency: string; unit_amount: string }
    }[]
    if (form.mode === 'payment' && items.length === 0) return invalid('parameter_missing', 'Missing: line_items')
    const amount = items.reduce((sum, item) => sum + Number(item.quantity) * Number(item.price_data.unit_amount), 0)
    const key = id('cs_test')
    const session: Session = {
      id: key,
      object: 'checkout.session',
      mode: form.mode,
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: form.client_reference_id ?? null,
      metadata: form.metadata ?? {},
      customer: null,
      amount_total: form.mode === 'payment' ? amount : null,
      payment_intent: null,
      setup_intent: null,
      currency: items[0]?.price_data.currency ?? form.currency ?? null,
      success_url: form.success_url,
      url: `${server.origin}/c/pay/${key}`,
      intentMetadata: (form.payment_intent_data as Json | undefined)?.metadata ?? {},
      customer_creation: form.customer_creation ?? null,
      customer_email: form.customer_email ?? null,
    }
    sessions.set(key, session)
    return ok(shownSession(session, []))
  }

  const charge = (intent: Intent, lastFour: string) => {
    const made: Charge = {
      id: id('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      refunded: false,
      paid: true,
      payment_intent: intent.id,
      metadata: intent.metadata,
      currency: intent.currency,
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: lastFour } },
    }
    charges.set(made.id, made)
    Object.assign(intent, {
      status: 'succeeded',
      latest_charge: made.id,
      amount_received: intent.amount,
      last_payment_error: null,
    })
  }

  const createIntent = (form: Json): ProviderAnswer => {
    const method = methods.get(String(form.payment_method))
    if (!method) return missing('payment_method', String(form.payment_method))
    if (method.customer !== form.customer) return invalid('payment_method_unexpected_state', 'It was detached.')
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      amount: Number(form.amount),
      amount_received: 0,
      currency: form.currency,
      metadata: form.metadata ?? {},
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: null,
    }
    intents.set(intent.id, intent)
    const lastFour = String((method.card as Json).last4)
    if (declining.has(lastFour)) {
      const error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Declined.',
      }
      intent.last_payment_error = error
      return refused(402, { ...error, payment_intent: intent })
    }
    charge(intent, lastFour)
    return ok(shownIntent(intent, expansions(form)))
  }

  const createRefund = (form: Json): ProviderAnswer => {
    const intent = intents.get(String(form.payment_intent))
    const made = charges.get(intent?.latest_charge ?? '')
    if (!intent || !made) return missing('payment_intent', String(form.payment_intent))
    const amount = Number(form.amount ?? made.amount - made.amount_refunded)
    if (made.amount_refunded === made.amount)
      return invalid('charge_already_refunded', `Charge ${made.id} has already been refunded.`)
    if (amount > made.amount - made.amount_refunded)
      return invalid('amount_too_large', 'Refund amount is greater than unrefunded amount on charge')
    made.amount_refunded += amount
    made.refunded = made.amount_refunded === made.amount
    const refund = {
      id: id('re'),
      object: 'refund',
      amount,
      status: 'succeeded',
      metadata: form.metadata ?? {},
      charge: made.id,
    }
    refunds.set(refund.id, refund)
    return ok(refund)
  }

  const post = (path: string, form: Json): ProviderAnswer => {
    const [, , area, first, second, third] = path.split('/')
    if (path === '/v1/checkout/sessions') return createSession(form)
    if (area === 'checkout' && third === 'expire') {
      const session = sessions.get(second ?? '')
      if (!session) return missing('checkout.session', second ?? '')
      if (session.status !== 'open') return invalid('session_not_open', 'Only open Checkout Sessions can be expired.')
      session.status = 'expired'
      const intent = intents.get(session.payment_intent ?? '')
      if (intent) intent.status = 'canceled'
      return ok(shownSession(session, []))
    }
    if (path === '/v1/payment_intents') return createIntent(form)
    if (path === '/v1/refunds') return createRefund(form)
    if (area === 'payment_methods' && second === 'detach') {
      const method = methods.get(first ?? '')
      if (!method?.customer) return missing('payment_method', first ?? '')
      method.customer = null
      return ok(method)
    }
    return missing('url', path)
  }

  const get = ({ path, query }: ProviderRequest): ProviderAnswer => {
    const [, , area, first, second] = path.split('/')
    if (area === 'checkout') {
      const session = sessions.get(second ?? '')
      return session ? ok(shownSession(session, expansions(query))) : missing('checkout.session', second ?? '')
    }
    if (area === 'payment_intents' && first === 'search') {
      const reference = query.get('query')?.match(/^metadata\['reference'\]:'([^']+)'$/)?.[1]
      if (!reference) return invalid('query_invalid', 'The query was not understood.')
      const matching = [...intents.values()].filter((intent) => (intent.metadata as Json).reference === reference)
      const data = matching
        .slice(0, Number(query.get('limit') ?? 10))
        .map((intent) => shownIntent(intent, expansions(query)))
      return ok({ object: 'search_result', data, has_more: false, url: path, next_page: null })
    }
    const intent = area === 'payment_intents' ? intents.get(first ?? '') : null
    return intent ? ok(shownIntent(intent, expansions(query))) : missing('payment_intent', first ?? '')
  }

  const server = await openProviderServer((request) => {
    if (request.headers.authorization !== `Bearer ${stripeSecrets.secretKey}`)
      return refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' })
    if (request.method === 'GET') return get(request)
    const key = request.headers['idempotency-key'] as string | undefined
    const stored = key ? replays.get(key) : undefined
    if (stored && (stored.path !== request.path || stored.body !== request.body))
      return refused(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
    if (stored) return { ...stored.answer, headers: { 'idempotent-replayed': 'true' } }
    const form = readNestedForm(request.body)
    const answer = post(request.path, form)
    // Executed requests are stored, successful or not; invalid ones are not.
    const begun = answer.status < 400 || answer.status === 402
    if (key && begun) replays.set(key, { path: request.path, body: request.body, answer: structuredClone(answer) })
    return answer
  })

  const sessionAt = (url: string) => {
    const session = sessions.get(new URL(url).pathname.split('/').at(-1) ?? '')
    if (session?.status !== 'open') throw new Error('Checkout says: this page has expired.')
    return session
  }
  const intentOf = (session: Session): Intent => {
    const known = intents.get(session.payment_intent ?? '')
    if (known) return known
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      amount: session.amount_total as number,
      amount_received: 0,
      currency: session.currency,
      metadata: session.intentMetadata,
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: null,
    }
    intents.set(intent.id, intent)
    session.payment_intent = intent.id
    return intent
  }

  return {
    ...server,
    declining,
    refunds,
    charges,
    intents,
    sessions,
    /** The buyer pays on Checkout's page. */
    pay: (url: string, { amount }: { amount?: number } = {}) => {
      const session = sessionAt(url)
      const intent = intentOf(session)
      if (amount !== undefined) intent.amount = amount
      charge(intent, '4242')
      Object.assign(session, { status: 'complete', payment_status: 'paid' })
      return session
    },
    /** The buyer's card is declined; the page stays open for another one. */
    decline: (url: string) => {
      intentOf(sessionAt(url)).last_payment_error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
      }
    },
    /** The buyer registers a card on Checkout's page. */
    registerCard: (url: string, lastFour = '4242') => {
      const session = sessionAt(url)
      const customer = session.customer_creation === 'always' ? id('cus') : null
      const card = { brand: 'visa', last4: lastFour, exp_month: 12, exp_year: 2034 }
      const method = { id: id('pm'), object: 'payment_method', type: 'card', customer, card }
      const setup = { id: id('seti'), object: 'setup_intent', status: 'succeeded', payment_method: method.id }
      methods.set(method.id, method)
      setups.set(setup.id, setup)
      Object.assign(session, { status: 'complete', setup_intent: setup.id, customer })
    },
    /** A message about an object, as Stripe sends it. */
    event: (type: string, object: Json, eventId = id('evt')) =>
      JSON.stringify({
        id: eventId,
        object: 'event',
        api_version: '2026-10-28.endive',
        created: now(),
        type,
        livemode: false,
        data: { object },
      }),
  }
}
