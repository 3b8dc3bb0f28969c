import { randomBytes } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import type { Locale } from '#contract/enumerations.ts'
import { cardFormPage, closingPage, codeFormPage, filledIn, type PostedForm, readPostedForm } from './card-form.ts'
import {
  type CardField,
  type CardForm,
  challengeCode,
  readStoredCard,
  type StoredBehaviour,
  type StoredCard,
  sandboxCardId,
  storedTestCards,
} from './cards.ts'
import { type PageContext, pageContextOf, pageLabels } from './page.ts'
import type { SandboxDeps } from './provider.ts'
import { findMerchant, lockCard, type SandboxCard, updateCard } from './sandbox.queries.ts'
import { readPageAddress } from './vault.ts'

const registrationTexts = (i18n: I18n) => ({
  title: i18n._('Card registration'),
  saveCardFor: i18n._('Save a card for'),
  purpose: i18n._('This card pays for your subscription. You won’t be charged on this page.'),
  save: i18n._('Save card'),
  helpTitle: i18n._('Test cards'),
  helpText: i18n._('Select a card to fill in the form. Each card behaves differently when it’s charged.'),
  challengeText: (issuer: string, lastFour: string) =>
    i18n._('The bank that issued your {issuer} card ending in {lastFour} needs to verify your identity.', {
      issuer,
      lastFour,
    }),
  confirm: i18n._('Confirm card'),
  finishedTitle: i18n._('This registration is closed'),
  finishedText: i18n._('This registration can no longer be completed here. The store has the result.'),
  missingTitle: i18n._('Registration not found'),
  missingText: i18n._('The link is incomplete, or the registration was removed. Return to the store and start again.'),
  behaviours: {
    SUCCESS: i18n._('Registered; every charge succeeds'),
    CHALLENGE: i18n._('A verification code is required'),
    DECLINED: i18n._('The registration is declined'),
    DECLINED_LATER: i18n._('Registered; every charge is declined'),
    INSUFFICIENT_FUNDS: i18n._('Registered; charges fail for insufficient funds'),
    RENEWALS_DECLINED: i18n._('The first charge succeeds, all others are declined'),
    RECOVERS: i18n._('The second and third charges fail, then it works again'),
    TIMEOUT_AFTER_CHARGE: i18n._('Charged, but the answer is lost'),
    LATE_WEBHOOK: i18n._('Charges are settled five seconds late'),
    EXPIRES_SOON: i18n._('Expires at the end of this month'),
  } satisfies Record<StoredBehaviour, string>,
})

type RegistrationLabels = ReturnType<typeof registrationTexts>

/** Returns the texts of the page that registers a card, in a language. */
const registrationLabels = (language: Locale): RegistrationLabels => registrationTexts(messagesOf(language))

const summary = ({ language }: PageContext, merchant: string) => html`<section class="summary">
    <p class="label">${registrationLabels(language).saveCardFor}</p>
    <p class="merchant">${merchant}</p>
    <p class="title">${registrationLabels(language).purpose}</p>
    <p class="note">${pageLabels(language).sandboxNote}</p>
  </section>`

/** The form to register a card. */
const registrationPage = (
  context: PageContext,
  merchant: string,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const labels = registrationLabels(context.language)
  const page = {
    merchant,
    title: labels.title,
    summary: summary(context, merchant),
    submit: { action: 'save', label: labels.save },
    help: {
      title: labels.helpTitle,
      text: labels.helpText,
      cards: storedTestCards.map(({ number, behaviour }) => ({ number, what: labels.behaviours[behaviour] })),
    },
  } as const
  return cardFormPage(context, page, form, wrong)
}

/** The bank's challenge step before a card is stored. */
const registrationChallengePage = (
  context: PageContext,
  merchant: string,
  card: { issuer: string; lastFour: string },
  isWrong: boolean,
) => {
  const labels = registrationLabels(context.language)
  const text = labels.challengeText(card.issuer, card.lastFour)
  return codeFormPage(
    context,
    { merchant, summary: summary(context, merchant), text, confirm: labels.confirm },
    isWrong,
  )
}

/** Shows that nothing can be done here, with a link back. */
const registrationMessage = (context: PageContext, message: 'finished' | 'missing', backUrl: string) => {
  const labels = registrationLabels(context.language)
  return closingPage(context, labels[`${message}Title`], labels[`${message}Text`], backUrl)
}

/** Open until it is registered or refused. The bank may ask for a code in between. */
const isOpen = (card: SandboxCard) => card.status === 'READY'
const isChallenged = (card: SandboxCard) => isOpen(card) && card.scenario === 'CHALLENGE'

type Change = Partial<Pick<SandboxCard, 'status' | 'failure' | 'token'>> &
  Partial<Omit<StoredCard, 'behaviour'>> & { scenario?: StoredBehaviour }

/** Adds the sandbox's card registration pages at /sandbox/cards: plain forms without scripts. */
export const addCardRegistration = (pages: Hono, { inTenant, now }: SandboxDeps) => {
  const missing = (context: Context) => context.html(registrationMessage(pageContextOf(context), 'missing', '/'), 404)

  const merchantName = async ({ customerId }: SandboxCard) => {
    const merchant = await inTenant(customerId, (db) => findMerchant(db, customerId))
    return merchant?.settings.base.name ?? merchant?.code ?? ''
  }

  pages.get('/cards/:address', async (context) => {
    const address = readPageAddress(context.req.param('address'), sandboxCardId)
    const card = address && (await inTenant(address.customerId, (db) => lockCard(db, address.customerId, address.id)))
    if (!card) return missing(context)
    if (!isOpen(card)) return context.html(registrationMessage(pageContextOf(context), 'finished', card.returnUrl), 410)
    const merchant = await merchantName(card)
    if (isChallenged(card))
      return context.html(registrationChallengePage(pageContextOf(context), merchant, viewOf(card), false))
    return context.html(
      registrationPage(pageContextOf(context), merchant, filledIn(storedTestCards, context.req.query('card'), now())),
    )
  })

  pages.post('/cards/:address', async (context) => {
    const address = readPageAddress(context.req.param('address'), sandboxCardId)
    if (!address) return missing(context)
    const form = readPostedForm(await context.req.parseBody().catch(() => ({})))
    const storedCard = form.action === 'save' ? readStoredCard(form, now()) : null
    const step = await inTenant(address.customerId, async (db) => {
      const card = await lockCard(db, address.customerId, address.id)
      if (!card) return null
      const change = isOpen(card) ? changeBy(card, form, storedCard) : null
      if (!change) return { card, changed: false }
      return { card: await updateCard(db, card, change), changed: true }
    })
    if (!step) return missing(context)
    const { card, changed } = step
    // A form that is submitted twice finds the registration closed: the buyer is redirected as
    // after the first submission.
    if (!isOpen(card)) return context.redirect(card.returnUrl, 303)
    if (changed) return context.redirect(`${pageContextOf(context).path}?lang=${pageContextOf(context).language}`, 303)
    const merchant = await merchantName(card)
    if (isChallenged(card))
      return context.html(registrationChallengePage(pageContextOf(context), merchant, viewOf(card), true), 422)
    const wrong = storedCard && 'wrong' in storedCard ? storedCard.wrong : []
    return context.html(
      registrationPage(pageContextOf(context), merchant, { name: form.name, expiry: form.expiry }, wrong),
      422,
    )
  })
}

const registered = (): Change => ({ status: 'REGISTERED', token: `card_${randomBytes(18).toString('base64url')}` })

/** Returns the effect of a form on an open registration. Null if the form has errors. */
const changeBy = (
  card: SandboxCard,
  form: PostedForm,
  given: ReturnType<typeof readStoredCard> | null,
): Change | null => {
  if (form.action === 'cancel') return { status: 'FAILED', failure: 'CANCELLED_BY_BUYER' }
  if (isChallenged(card)) return form.action === 'challenge' && form.code.trim() === challengeCode ? registered() : null
  if (!given || 'wrong' in given) return null
  const { behaviour, ...entered } = given
  if (behaviour === 'DECLINED') return { ...entered, scenario: behaviour, status: 'FAILED', failure: 'CARD_DECLINED' }
  return { ...entered, scenario: behaviour, ...(behaviour === 'CHALLENGE' ? {} : registered()) }
}

const viewOf = ({ issuer, lastFour }: SandboxCard) => ({ issuer: issuer ?? '', lastFour: lastFour ?? '' })
