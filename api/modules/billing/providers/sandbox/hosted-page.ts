import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import {
  type Merchant,
  type PaymentProvider,
  signatureHeader,
  signWebhook,
} from '#api/modules/billing/providers/provider.ts'
import { customerBase } from '#contract/http.ts'
import type { CustomerId } from '#contract/ids.ts'
import { addBankPages } from './bank-routes.ts'
import { cardPage, challengePage, filledIn, messagePage, type PostedForm, readPostedForm } from './card-form.ts'
import {
  answerChallenge,
  closedOutcome,
  type Outcome,
  outcomeOfPayment,
  readCard,
  sandboxPaymentId,
  testCards,
} from './cards.ts'
import { merchantName, saveOutcome } from './ledger.ts'
import { iconFile, pageContextOf } from './page.ts'
import { createSandboxProvider, type SandboxDeps } from './provider.ts'
import { addCardRegistration } from './registration.ts'
import {
  claimDueDeliveries,
  type InTenant,
  lockPayment,
  markDelivered,
  readPayment,
  type SandboxPayment,
} from './sandbox.queries.ts'
import { readPageAddress } from './vault.ts'

const stylesheet = readFileSync(new URL('./pay.css', import.meta.url), 'utf8')

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const isOpen = (payment: SandboxPayment) => payment.status === 'READY' || payment.status === 'PROCESSING'
const isChallenged = (payment: SandboxPayment) => payment.status === 'PROCESSING' && payment.scenario === 'CHALLENGE'

/**
 * Creates the sandbox's hosted pages below /sandbox: plain forms without scripts. `onLedgerChange`
 * is called for each updated payment, so that its webhooks are sent before the next sweep.
 */
const createHostedPages = (deps: SandboxDeps, onLedgerChange: (customerId: CustomerId) => void) => {
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

  const missing = (context: Context) => context.html(messagePage(pageContextOf(context), 'missing', '/'), 404)

  const shown = async (payment: SandboxPayment) => {
    const customerId = payment.customerId
    return {
      merchant: await deps.inTenant(customerId, (db) => merchantName(db, customerId)),
      title: payment.orderName,
      amount: { amount: payment.amount, currency: payment.currency },
    }
  }

  pages.get('/pay/:address', async (context) => {
    const address = readPageAddress(context.req.param('address'), sandboxPaymentId)
    const payment =
      address && (await deps.inTenant(address.customerId, (db) => readPayment(db, address.customerId, address)))
    if (payment?.method !== 'CARD') return missing(context)
    if (!isOpen(payment)) return context.html(messagePage(pageContextOf(context), 'finished', payment.returnUrl), 410)
    if (isChallenged(payment))
      return context.html(challengePage(pageContextOf(context), await shown(payment), cardOf(payment), false))
    return context.html(
      cardPage(
        pageContextOf(context),
        await shown(payment),
        filledIn(testCards, context.req.query('card'), deps.now()),
      ),
    )
  })

  pages.post('/pay/:address', async (context) => {
    const address = readPageAddress(context.req.param('address'), sandboxPaymentId)
    if (!address) return missing(context)
    const form = readPostedForm(await context.req.parseBody().catch(() => ({})))
    const card = form.action === 'pay' ? readCard(form, deps.now()) : null

    const step = await deps.inTenant(address.customerId, async (db) => {
      const payment = await lockPayment(db, address.customerId, address)
      if (payment?.method !== 'CARD') return null
      if (!isOpen(payment)) return { payment, outcome: null }
      const outcome = outcomeOf(payment, form, card)
      if (outcome) await saveOutcome(db, payment, outcome, card && 'issuer' in card ? card : null, deps.now())
      return { payment, outcome }
    })
    if (!step) return missing(context)

    const { payment, outcome } = step
    if (outcome) onLedgerChange(address.customerId)
    // A form that is submitted twice finds the payment closed: the buyer is redirected as after the
    // first submission.
    if (!isOpen(payment) || outcome?.page === 'RETURN') return context.redirect(payment.returnUrl, 303)
    if (outcome?.page === 'TIMEOUT')
      return context.html(messagePage(pageContextOf(context), 'timeout', payment.returnUrl), 504)
    if (outcome?.page === 'CHALLENGE') {
      return context.redirect(`${pageContextOf(context).path}?lang=${pageContextOf(context).language}`, 303)
    }
    if (isChallenged(payment)) {
      return context.html(challengePage(pageContextOf(context), await shown(payment), cardOf(payment), true), 422)
    }
    const wrong = card && 'wrong' in card ? card.wrong : []
    return context.html(
      cardPage(pageContextOf(context), await shown(payment), { name: form.name, expiry: form.expiry }, wrong),
      422,
    )
  })

  addBankPages(pages, deps, onLedgerChange)
  addCardRegistration(pages, deps)
  return pages
}

/** Returns the effect of a form on an open payment. Null if the form has errors. */
const outcomeOf = (
  payment: SandboxPayment,
  form: PostedForm,
  card: ReturnType<typeof readCard> | null,
): Outcome | null => {
  if (form.action === 'cancel') return closedOutcome('CANCELLED_BY_BUYER')
  if (isChallenged(payment)) return form.action === 'challenge' ? answerChallenge(form.code) : null
  return card && 'issuer' in card ? outcomeOfPayment(card) : null
}

const cardOf = (payment: SandboxPayment) => ({ issuer: payment.cardIssuer ?? '', lastFour: payment.cardLastFour ?? '' })

/**
 * Retries to an unavailable store follow after 5, 10, 20, … seconds, at most an hour apart, for
 * about half a day.
 */
const maxAttempts = 20
const retryAfterSeconds = (attempts: number) => Math.min(5 * 2 ** attempts, 3600)

interface DeliveryDeps {
  inTenant: InTenant
  now: () => Date
  webhookSecret: string
}

export type Post = (request: Request) => Promise<Response>

/**
 * Sends one tenant's due webhooks and returns the number delivered. Each is claimed by postponing
 * it before it is sent, so that two processes do not send the same webhook and a crash loses none.
 */
const deliverDue = async (
  deps: DeliveryDeps,
  merchant: { id: CustomerId; code: string },
  post: Post,
): Promise<number> => {
  const due = await deps.inTenant(merchant.id, (db) =>
    claimDueDeliveries(db, merchant.id, deps.now(), { maxAttempts, retryAfterSeconds }),
  )

  let arrived = 0
  for (const row of due) {
    const body = JSON.stringify(row.payload)
    const request = new Request(`http://localhost${customerBase(merchant.code)}/webhooks/sandbox`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signWebhook(deps.webhookSecret, body, deps.now()),
      },
      body,
    })
    const answer = await post(request).catch(() => null)
    if (!answer?.ok) continue
    arrived++
    await deps.inTenant(merchant.id, (db) => markDelivered(db, merchant.id, row.id, deps.now()))
  }
  return arrived
}

/**
 * Seconds. Long enough for late webhooks after a payment's last step. Later ones wait for the next
 * sweep.
 */
const activeSeconds = 20

export interface Sandbox {
  provider: PaymentProvider
  /** The hosted pages, below /sandbox. */
  pages: Hono
  /** Sends a merchant's due webhooks and returns the number delivered. */
  deliverDue: (merchant: Pick<Merchant, 'id' | 'code'>, post: Post) => Promise<number>
  /** Returns the merchants with a recently changed payment. */
  activeCustomers: () => CustomerId[]
}

/** Creates the embedded payment provider with its pages and webhooks. */
export const createSandbox = (deps: SandboxDeps): Sandbox => {
  const activeUntil = new Map<CustomerId, number>()
  const markActive = (id: CustomerId) => activeUntil.set(id, deps.now().getTime() + activeSeconds * 1000)
  return {
    provider: createSandboxProvider(deps, markActive),
    pages: createHostedPages(deps, markActive),
    deliverDue: (merchant, post) => deliverDue(deps, merchant, post),
    activeCustomers: () => {
      const now = deps.now().getTime()
      for (const [id, until] of activeUntil) if (until < now) activeUntil.delete(id)
      return [...activeUntil.keys()]
    },
  }
}
