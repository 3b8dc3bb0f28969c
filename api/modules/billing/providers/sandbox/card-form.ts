import { html, raw } from 'hono/html'
import { type Money, moneyText } from '#contract/money.ts'
import { type CardField, type CardForm, challengeCode, grouped, magicCards } from './cards.ts'
import { cardIcon, lockIcon, type Markup, type PageContext, type PageLabels, pageLabels, shell } from './page.ts'

/** The purpose of a card and its recipient, shown at the top of each page. */
interface Purpose {
  merchant: string
  summary: Markup
}

interface CardFormPage extends Purpose {
  title: string
  submit: { action: 'pay' | 'save'; label: string }
  /** Test cards to choose from, each with its behaviour. */
  help: { title: string; text: string; cards: { number: string; what: string }[] }
}

const addressOf = (context: PageContext) => `${context.path}?lang=${context.language}`

interface FieldLook {
  name: CardField
  autocomplete: string
  mode: 'numeric' | 'text'
  hint?: string
  length: number
}

const field = (look: FieldLook, words: PageLabels, form: Partial<CardForm>, wrong: readonly CardField[]) => {
  const bad = wrong.includes(look.name)
  const attributes = bad ? raw(` aria-invalid="true" aria-describedby="${look.name}-error"`) : ''
  return html`<div class="field field-${look.name}">
      <label for="${look.name}">${words.fields[look.name]}</label>
      <input id="${look.name}" name="${look.name}" value="${form[look.name] ?? ''}" autocomplete="${look.autocomplete}"
        inputmode="${look.mode}" maxlength="${look.length}" placeholder="${look.hint ?? ''}" spellcheck="false" required${attributes} />
      ${bad ? html`<p class="error" id="${look.name}-error">${words.wrong[look.name]}</p>` : ''}
    </div>`
}

const cancelForm = (context: PageContext) => html`<form method="post" action="${addressOf(context)}">
        <button class="quiet" name="action" value="cancel">${pageLabels(context.language).cancel}</button>
      </form>`

const testCards = (
  context: PageContext,
  help: CardFormPage['help'],
) => html`<aside class="help" aria-labelledby="help-title">
    <h2 id="help-title">${help.title}</h2>
    <p>${help.text}</p>
    <ul>${help.cards.map(
      ({ number, what }) => html`<li>
        <a href="${addressOf(context)}&amp;card=${number.slice(-4)}" aria-label="${pageLabels(context.language).use}: ${grouped(number)}">
          <span class="digits">${grouped(number)}</span>
          <span class="what">${what}</span>
        </a>
      </li>`,
    )}</ul>
  </aside>`

/**
 * The card form. After an error, only the cardholder's name and the expiry are filled in again, and
 * invalid fields are marked.
 */
export const cardFormPage = (
  context: PageContext,
  { merchant, title, summary, submit, help }: CardFormPage,
  form: Partial<CardForm>,
  wrong: readonly CardField[],
) => {
  const words = pageLabels(context.language)
  return shell(
    context,
    words,
    `${title} · ${merchant}`,
    html`<main class="checkout">
    ${summary}
    <section class="panel">
      <h1>${raw(cardIcon)}${words.heading}</h1>
      ${wrong.length > 0 ? html`<p class="alert" role="alert">${words.summary}</p>` : ''}
      <form method="post" action="${addressOf(context)}" novalidate>
        ${field({ name: 'number', autocomplete: 'cc-number', mode: 'numeric', hint: '0000 0000 0000 0000', length: 23 }, words, form, wrong)}
        <div class="pair">
          ${field({ name: 'expiry', autocomplete: 'cc-exp', mode: 'text', hint: words.hints.expiry, length: 9 }, words, form, wrong)}
          ${field({ name: 'cvc', autocomplete: 'cc-csc', mode: 'numeric', hint: words.hints.cvc, length: 4 }, words, form, wrong)}
        </div>
        ${field({ name: 'name', autocomplete: 'cc-name', mode: 'text', length: 100 }, words, form, wrong)}
        <button class="pay" name="action" value="${submit.action}">${raw(lockIcon)}${submit.label}</button>
        <p class="secure">${words.secure}</p>
      </form>
      ${cancelForm(context)}
    </section>
    ${testCards(context, help)}
  </main>`,
  )
}

/**
 * The bank's challenge step. `text` states the purpose of the code, `confirm` labels the button.
 */
export const codeFormPage = (
  context: PageContext,
  { merchant, summary, text, confirm }: Purpose & { text: string; confirm: string },
  isWrong: boolean,
) => {
  const words = pageLabels(context.language)
  return shell(
    context,
    words,
    `${words.challengeTitle} · ${merchant}`,
    html`<main class="checkout narrow">
    ${summary}
    <section class="panel">
      <h1>${raw(lockIcon)}${words.challengeTitle}</h1>
      <p>${text}</p>
      <form method="post" action="${addressOf(context)}">
        <div class="field field-code">
          <label for="code">${words.code}</label>
          <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="6" required${
            isWrong ? raw(' aria-invalid="true" aria-describedby="code-error"') : ''
          } />
          ${isWrong ? html`<p class="error" id="code-error" role="alert">${words.wrongCode}</p>` : ''}
          <p class="hint">${words.challengeHint(challengeCode)}</p>
        </div>
        <button class="pay" name="action" value="challenge">${confirm}</button>
      </form>
      ${cancelForm(context)}
    </section>
  </main>`,
  )
}

/** A page that only shows a status, with a link back. */
export const closingPage = (context: PageContext, title: string, text: string, backUrl: string) => {
  const words = pageLabels(context.language)
  return shell(
    context,
    words,
    title,
    html`<main class="message">
    <section class="panel">
      <h1>${title}</h1>
      <p>${text}</p>
      <a class="pay" href="${backUrl}">${words.back}</a>
    </section>
  </main>`,
  )
}

/** The part of a payment that its page shows. */
export interface PagePayment {
  merchant: string
  title: string
  amount: Money
}

const summary = (
  payment: PagePayment,
  context: PageContext,
  words: PageLabels,
) => html`<section class="summary" aria-label="${words.order}">
    <p class="label">${words.payTo}</p>
    <p class="merchant">${payment.merchant}</p>
    <p class="amount">${moneyText(payment.amount, context.language)}</p>
    <p class="title">${payment.title}</p>
    <p class="note">${words.sandboxNote}</p>
  </section>`

/** The payment form. */
export const cardPage = (
  context: PageContext,
  payment: PagePayment,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const words = pageLabels(context.language)
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

/** The bank's challenge step before a payment. */
export const challengePage = (
  context: PageContext,
  payment: PagePayment,
  card: { issuer: string; lastFour: string },
  isWrong: boolean,
) => {
  const words = pageLabels(context.language)
  const page = {
    merchant: payment.merchant,
    summary: summary(payment, context, words),
    text: words.challengeText(card.issuer, card.lastFour),
    confirm: words.confirm,
  }
  return codeFormPage(context, page, isWrong)
}

export const messagePage = (context: PageContext, message: 'finished' | 'timeout' | 'missing', backUrl: string) => {
  const words = pageLabels(context.language)
  return closingPage(context, words[`${message}Title`], words[`${message}Text`], backUrl)
}
