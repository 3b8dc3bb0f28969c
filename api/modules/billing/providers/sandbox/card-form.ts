import { html, raw } from 'hono/html'
import { type Money, moneyText } from '#contract/money.ts'
import { type CardField, type CardForm, challengeCode, formatCardNumber, testCards } from './cards.ts'
import { cardIcon, layout, lockIcon, type Markup, type PageContext, type PageLabels, pageLabels } from './page.ts'

/** What a page with a card form posts. */
export interface PostedForm extends CardForm {
  action: string
  /** The code of the challenge step. */
  code: string
}

/** Reads a posted form. Missing fields are empty. */
export const readPostedForm = (body: Record<string, unknown>): PostedForm => {
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

/** A test card chosen from the list, identified by its last four digits, fills the form. */
export const filledIn = (
  cards: readonly { number: string }[],
  lastFour: string | undefined,
  now: Date,
): Partial<CardForm> => {
  const card = cards.find(({ number }) => number.endsWith(lastFour ?? 'none'))
  if (!card) return {}
  const expiry = `12 / ${(now.getUTCFullYear() + 5) % 100}`
  return { number: formatCardNumber(card.number), expiry, cvc: '123', name: 'Test Card' }
}

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

const field = (look: FieldLook, labels: PageLabels, form: Partial<CardForm>, wrong: readonly CardField[]) => {
  const bad = wrong.includes(look.name)
  const attributes = bad ? raw(` aria-invalid="true" aria-describedby="${look.name}-error"`) : ''
  return html`<div class="field field-${look.name}">
      <label for="${look.name}">${labels.fields[look.name]}</label>
      <input id="${look.name}" name="${look.name}" value="${form[look.name] ?? ''}" autocomplete="${look.autocomplete}"
        inputmode="${look.mode}" maxlength="${look.length}" placeholder="${look.hint ?? ''}" spellcheck="false" required${attributes} />
      ${bad ? html`<p class="error" id="${look.name}-error">${labels.wrong[look.name]}</p>` : ''}
    </div>`
}

const cancelForm = (context: PageContext) => html`<form method="post" action="${addressOf(context)}">
        <button class="quiet" name="action" value="cancel">${pageLabels(context.language).cancel}</button>
      </form>`

const testCardList = (
  context: PageContext,
  help: CardFormPage['help'],
) => html`<aside class="help" aria-labelledby="help-title">
    <h2 id="help-title">${help.title}</h2>
    <p>${help.text}</p>
    <ul>${help.cards.map(
      ({ number, what }) => html`<li>
        <a href="${addressOf(context)}&amp;card=${number.slice(-4)}" aria-label="${pageLabels(context.language).use}: ${formatCardNumber(number)}">
          <span class="digits">${formatCardNumber(number)}</span>
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
  const labels = pageLabels(context.language)
  return layout(
    context,
    labels,
    `${title} · ${merchant}`,
    html`<main class="checkout">
    ${summary}
    <section class="panel">
      <h1>${raw(cardIcon)}${labels.heading}</h1>
      ${wrong.length > 0 ? html`<p class="alert" role="alert">${labels.summary}</p>` : ''}
      <form method="post" action="${addressOf(context)}" novalidate>
        ${field({ name: 'number', autocomplete: 'cc-number', mode: 'numeric', hint: '0000 0000 0000 0000', length: 23 }, labels, form, wrong)}
        <div class="pair">
          ${field({ name: 'expiry', autocomplete: 'cc-exp', mode: 'text', hint: labels.hints.expiry, length: 9 }, labels, form, wrong)}
          ${field({ name: 'cvc', autocomplete: 'cc-csc', mode: 'numeric', hint: labels.hints.cvc, length: 4 }, labels, form, wrong)}
        </div>
        ${field({ name: 'name', autocomplete: 'cc-name', mode: 'text', length: 100 }, labels, form, wrong)}
        <button class="pay" name="action" value="${submit.action}">${raw(lockIcon)}${submit.label}</button>
        <p class="secure">${labels.secure}</p>
      </form>
      ${cancelForm(context)}
    </section>
    ${testCardList(context, help)}
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
  const labels = pageLabels(context.language)
  return layout(
    context,
    labels,
    `${labels.challengeTitle} · ${merchant}`,
    html`<main class="checkout narrow">
    ${summary}
    <section class="panel">
      <h1>${raw(lockIcon)}${labels.challengeTitle}</h1>
      <p>${text}</p>
      <form method="post" action="${addressOf(context)}">
        <div class="field field-code">
          <label for="code">${labels.code}</label>
          <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="6" required${
            isWrong ? raw(' aria-invalid="true" aria-describedby="code-error"') : ''
          } />
          ${isWrong ? html`<p class="error" id="code-error" role="alert">${labels.wrongCode}</p>` : ''}
          <p class="hint">${labels.challengeHint(challengeCode)}</p>
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
  const labels = pageLabels(context.language)
  return layout(
    context,
    labels,
    title,
    html`<main class="message">
    <section class="panel">
      <h1>${title}</h1>
      <p>${text}</p>
      <a class="pay" href="${backUrl}">${labels.back}</a>
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
  labels: PageLabels,
) => html`<section class="summary" aria-label="${labels.order}">
    <p class="label">${labels.payTo}</p>
    <p class="merchant">${payment.merchant}</p>
    <p class="amount">${moneyText(payment.amount, context.language)}</p>
    <p class="title">${payment.title}</p>
    <p class="note">${labels.sandboxNote}</p>
  </section>`

/** The payment form. */
export const cardPage = (
  context: PageContext,
  payment: PagePayment,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const labels = pageLabels(context.language)
  const page = {
    merchant: payment.merchant,
    title: labels.title,
    summary: summary(payment, context, labels),
    submit: { action: 'pay', label: labels.pay(moneyText(payment.amount, context.language)) },
    help: {
      title: labels.helpTitle,
      text: labels.helpText,
      cards: testCards.map(({ number, behaviour }) => ({ number, what: labels.behaviours[behaviour] })),
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
  const labels = pageLabels(context.language)
  const page = {
    merchant: payment.merchant,
    summary: summary(payment, context, labels),
    text: labels.challengeText(card.issuer, card.lastFour),
    confirm: labels.confirm,
  }
  return codeFormPage(context, page, isWrong)
}

/** Renders a page that only shows a message and a link back. */
export const messagePage = (context: PageContext, message: 'finished' | 'timeout' | 'missing', backUrl: string) => {
  const labels = pageLabels(context.language)
  return closingPage(context, labels[`${message}Title`], labels[`${message}Text`], backUrl)
}
