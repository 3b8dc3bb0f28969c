import { html } from 'hono/html'
import { type Money, moneyText } from '#contract/money.ts'
import { cardFormPage, closingPage, codeFormPage } from './card-form.ts'
import { type CardField, type CardForm, magicCards } from './cards.ts'
import type { PageContext } from './page.ts'
import { type Words, wordsOf } from './words.ts'

/** The part of a payment that its page shows. */
export interface PagePayment {
  merchant: string
  title: string
  amount: Money
}

const summary = (
  payment: PagePayment,
  context: PageContext,
  words: Words,
) => html`<section class="summary" aria-label="${words.order}">
    <p class="label">${words.payTo}</p>
    <p class="merchant">${payment.merchant}</p>
    <p class="amount">${moneyText(payment.amount, context.language)}</p>
    <p class="title">${payment.title}</p>
    <p class="note">${words.sandboxNote}</p>
  </section>`

/** The form a payment is made on. */
export const cardPage = (
  context: PageContext,
  payment: PagePayment,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const words = wordsOf(context.language)
  const page = {
    merchant: payment.merchant,
    title: words.title,
    summary: summary(payment, context, words),
    submit: { action: 'pay', label: words.pay(moneyText(payment.amount, context.language)) },
    help: {
      title: words.helpTitle,
      text: words.helpText,
      cards: magicCards.map(({ number, behaviour }) => ({ number, what: words.behaviours[behaviour] })),
    },
  } as const
  return cardFormPage(context, page, form, wrong)
}

/** The bank's second step before it is paid. */
export const challengePage = (
  context: PageContext,
  payment: PagePayment,
  card: { issuer: string; lastFour: string },
  isWrong: boolean,
) => {
  const words = wordsOf(context.language)
  const page = {
    merchant: payment.merchant,
    summary: summary(payment, context, words),
    text: words.challengeText(card.issuer, card.lastFour),
    confirm: words.confirm,
  }
  return codeFormPage(context, page, isWrong)
}

export const messagePage = (context: PageContext, message: 'finished' | 'timeout' | 'missing', backUrl: string) => {
  const words = wordsOf(context.language)
  return closingPage(context, words[`${message}Title`], words[`${message}Text`], backUrl)
}
