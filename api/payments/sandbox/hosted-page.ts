import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import type { CustomerId } from '#contract/ids.ts'
import { readPageAddress } from './address.ts'
import { addBankDesk } from './bank-desk.ts'
import { lockPayment, nameOf, readPayment, record } from './books.ts'
import { type AcceptedCard, type CardForm, grouped, magicCards, readCard } from './cards.ts'
import { iconFile } from './icons.ts'
import { answerChallenge, closed, type Outcome, payWith, type SandboxPayment } from './outcome.ts'
import type { PageContext } from './page.ts'
import { cardPage, challengePage, messagePage } from './payment-page.ts'
import type { SandboxDeps } from './provider.ts'
import { addCardRegistration } from './registration.ts'
import { pageLanguage } from './words.ts'

const stylesheet = readFileSync(new URL('./pay.css', import.meta.url), 'utf8')

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const isOpen = (payment: SandboxPayment) => payment.status === 'READY' || payment.status === 'PROCESSING'
const isChallenged = (payment: SandboxPayment) => payment.status === 'PROCESSING' && payment.scenario === 'CHALLENGE'

/**
 * The sandbox's hosted pages, below /sandbox: plain forms that need no script. `changed` is told of each payment that moved, so
 * that its webhooks leave without waiting for the next sweep.
 */
export const createHostedPages = (deps: SandboxDeps, changed: (customerId: CustomerId) => void) => {
  const pages = new Hono()

  pages.use(async (context, next) => {
    await next()
    context.header('content-security-policy', policy)
    context.header('referrer-policy', 'no-referrer')
    context.header('x-content-type-options', 'nosniff')
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
  })

  const asset = (path: string, contentType: string, body: string) =>
    pages.get(path, (context) =>
      context.body(body, 200, { 'content-type': contentType, 'cache-control': 'public, max-age=300' }),
    )
  asset('/pay.css', 'text/css; charset=utf-8', stylesheet)
  asset('/icon.svg', 'image/svg+xml', iconFile)

  const look = (context: Context): PageContext => ({
    path: new URL(context.req.url).pathname,
    language: pageLanguage(context.req.query('lang') ?? null, null, context.req.header('accept-language') ?? null),
  })

  const missing = (context: Context) => context.html(messagePage(look(context), 'missing', '/'), 404)

  const shown = async (payment: SandboxPayment) => {
    const customerId = payment.customerId as CustomerId
    return {
      merchant: await deps.inTenant(customerId, (db) => nameOf(db, customerId)),
      title: payment.orderName,
      amount: { amount: payment.amount, currency: payment.currency },
    }
  }

  pages.get('/pay/:address', async (context) => {
    const address = readPageAddress(context.req.param('address'))
    const payment =
      address && (await deps.inTenant(address.customerId, (db) => readPayment(db, address.customerId, address)))
    if (payment?.method !== 'CARD') return missing(context)
    if (!isOpen(payment)) return context.html(messagePage(look(context), 'finished', payment.returnUrl), 410)
    if (isChallenged(payment))
      return context.html(challengePage(look(context), await shown(payment), cardOf(payment), false))
    return context.html(cardPage(look(context), await shown(payment), filledIn(context.req.query('card'), deps.now())))
  })

  pages.post('/pay/:address', async (context) => {
    const address = readPageAddress(context.req.param('address'))
    if (!address) return missing(context)
    const form = readForm(await context.req.parseBody().catch(() => ({})))
    const card = form.action === 'pay' ? readCard(form, deps.now()) : null

    const step = await deps.inTenant(address.customerId, async (db) => {
      const payment = await lockPayment(db, address.customerId, address)
      if (payment?.method !== 'CARD') return null
      if (!isOpen(payment)) return { payment, outcome: null }
      const outcome = outcomeOf(payment, form, card)
      if (outcome) await record(db, payment, outcome, card && 'issuer' in card ? card : null, deps.now())
      return { payment, outcome }
    })
    if (!step) return missing(context)

    const { payment, outcome } = step
    if (outcome) changed(address.customerId)
    // A form sent twice finds the payment closed: the person goes where the first one led.
    if (!isOpen(payment) || outcome?.page === 'RETURN') return context.redirect(payment.returnUrl, 303)
    if (outcome?.page === 'TIMEOUT') return context.html(messagePage(look(context), 'timeout', payment.returnUrl), 504)
    if (outcome?.page === 'CHALLENGE') {
      return context.redirect(`${look(context).path}?lang=${look(context).language}`, 303)
    }
    if (isChallenged(payment)) {
      return context.html(challengePage(look(context), await shown(payment), cardOf(payment), true), 422)
    }
    const wrong = card && 'wrong' in card ? card.wrong : []
    return context.html(
      cardPage(look(context), await shown(payment), { name: form.name, expiry: form.expiry }, wrong),
      422,
    )
  })

  addBankDesk(pages, deps, changed)
  addCardRegistration(pages, deps)
  return pages
}

type Form = CardForm & { action: string; code: string }

const readForm = (body: Record<string, unknown>): Form => {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name].slice(0, 200) : '')
  return {
    action: text('action'),
    code: text('code'),
    number: text('number'),
    expiry: text('expiry'),
    cvc: text('cvc'),
    name: text('name'),
  }
}

/** What a form does to an open payment; null when something on it has to be corrected first. */
const outcomeOf = (payment: SandboxPayment, form: Form, card: ReturnType<typeof readCard> | null): Outcome | null => {
  if (form.action === 'cancel') return closed('CANCELLED_BY_BUYER')
  if (isChallenged(payment)) return form.action === 'challenge' ? answerChallenge(form.code) : null
  return card && 'issuer' in card ? payWith(card as AcceptedCard) : null
}

const cardOf = (payment: SandboxPayment) => ({ issuer: payment.cardIssuer ?? '', lastFour: payment.cardLastFour ?? '' })

/** A test card chosen from the list, named by its last four digits, fills the form in. */
const filledIn = (lastFour: string | undefined, now: Date): Partial<CardForm> => {
  const card = magicCards.find(({ number }) => number.endsWith(lastFour ?? 'none'))
  if (!card) return {}
  return {
    number: grouped(card.number),
    expiry: `12 / ${(now.getUTCFullYear() + 3) % 100}`,
    cvc: '123',
    name: 'Test Card',
  }
}
