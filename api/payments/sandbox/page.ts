import { html, raw } from 'hono/html'
import type { Money } from '#contract/money.ts'
import { type CardField, type CardForm, challengeCode, grouped, magicCards } from './cards.ts'
import { cardIcon, lockIcon, markIcon } from './icons.ts'
import { type PageLanguage, type Words, wordsOf } from './words.ts'

type Markup = ReturnType<typeof html>

/** What every page of the sandbox knows. `path` is the page's own address, without the query. */
export interface PageContext {
  language: PageLanguage
  path: string
  /** What the links to other languages keep of the address. */
  query?: Record<string, string>
}

/** The part of a payment that its page shows. */
export interface PagePayment {
  merchant: string
  title: string
  amount: Money
}

export const amountText = (money: Money, language: PageLanguage) => {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: money.currency })
  return format.format(money.amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0))
}

/** The frame of every page. */
export const shell = (context: PageContext, words: Words, title: string, body: Markup) =>
  html`<!doctype html>
<html lang="${context.language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="/sandbox/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/sandbox/pay.css" />
  </head>
  <body>
    <header class="bar">
      <span class="brand">${raw(markIcon)}<span>Marquee Pay</span><span class="badge">${words.sandbox}</span></span>
      <nav aria-label="${words.language}">${languageLink(context, 'en', 'English')}${languageLink(context, 'ko', '한국어')}</nav>
    </header>
    ${body}
  </body>
</html>`

const languageLink = (context: PageContext, language: PageLanguage, name: string) =>
  html`<a href="${context.path}?${new URLSearchParams({ ...context.query, lang: language }).toString()}" lang="${language}" hreflang="${language}"${
    context.language === language ? raw(' aria-current="true"') : ''
  }>${name}</a>`

const summary = (
  payment: PagePayment,
  context: PageContext,
  words: Words,
) => html`<section class="summary" aria-label="${words.order}">
    <p class="label">${words.payTo}</p>
    <p class="merchant">${payment.merchant}</p>
    <p class="amount">${amountText(payment.amount, context.language)}</p>
    <p class="title">${payment.title}</p>
    <p class="note">${words.sandboxNote}</p>
  </section>`

interface FieldLook {
  name: CardField
  autocomplete: string
  mode: 'numeric' | 'text'
  hint?: string
  length: number
}

/** One field of a card's form. */
export const field = (look: FieldLook, words: Words, form: Partial<CardForm>, wrong: readonly CardField[]) => {
  const bad = wrong.includes(look.name)
  const attributes = bad ? raw(` aria-invalid="true" aria-describedby="${look.name}-error"`) : ''
  return html`<div class="field field-${look.name}">
      <label for="${look.name}">${words.fields[look.name]}</label>
      <input id="${look.name}" name="${look.name}" value="${form[look.name] ?? ''}" autocomplete="${look.autocomplete}"
        inputmode="${look.mode}" maxlength="${look.length}" placeholder="${look.hint ?? ''}" spellcheck="false" required${attributes} />
      ${bad ? html`<p class="error" id="${look.name}-error">${words.wrong[look.name]}</p>` : ''}
    </div>`
}

const testCards = (context: PageContext, words: Words) => html`<aside class="help" aria-labelledby="help-title">
    <h2 id="help-title">${words.helpTitle}</h2>
    <p>${words.helpText}</p>
    <ul>${magicCards.map(
      (card) => html`<li>
        <a href="${context.path}?lang=${context.language}&amp;card=${card.number.slice(-4)}" aria-label="${words.use}: ${grouped(card.number)}">
          <span class="digits">${grouped(card.number)}</span>
          <span class="what">${words.behaviours[card.behaviour]}</span>
        </a>
      </li>`,
    )}</ul>
  </aside>`

/** The form a card is given on. Nothing of a card that was typed is written back but its name; wrong fields are marked. */
export const cardPage = (
  context: PageContext,
  payment: PagePayment,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const words = wordsOf(context.language)
  return shell(
    context,
    words,
    `${words.title} · ${payment.merchant}`,
    html`<main class="checkout">
    ${summary(payment, context, words)}
    <section class="panel">
      <h1>${raw(cardIcon)}${words.heading}</h1>
      ${wrong.length > 0 ? html`<p class="alert" role="alert">${words.summary}</p>` : ''}
      <form method="post" action="${context.path}?lang=${context.language}" novalidate>
        ${field({ name: 'number', autocomplete: 'cc-number', mode: 'numeric', hint: '0000 0000 0000 0000', length: 23 }, words, form, wrong)}
        <div class="pair">
          ${field({ name: 'expiry', autocomplete: 'cc-exp', mode: 'text', hint: words.hints.expiry, length: 9 }, words, form, wrong)}
          ${field({ name: 'cvc', autocomplete: 'cc-csc', mode: 'numeric', hint: words.hints.cvc, length: 4 }, words, form, wrong)}
        </div>
        ${field({ name: 'name', autocomplete: 'cc-name', mode: 'text', length: 100 }, words, form, wrong)}
        <button class="pay" name="action" value="pay">${raw(lockIcon)}${words.pay(amountText(payment.amount, context.language))}</button>
        <p class="secure">${words.secure}</p>
      </form>
      <form method="post" action="${context.path}?lang=${context.language}">
        <button class="quiet" name="action" value="cancel">${words.cancel}</button>
      </form>
    </section>
    ${testCards(context, words)}
  </main>`,
  )
}

/** The bank's second step. */
export const challengePage = (
  context: PageContext,
  payment: PagePayment,
  card: { issuer: string; lastFour: string },
  wrong: boolean,
) => {
  const words = wordsOf(context.language)
  return shell(
    context,
    words,
    `${words.challengeTitle} · ${payment.merchant}`,
    html`<main class="checkout narrow">
    ${summary(payment, context, words)}
    <section class="panel">
      <h1>${raw(lockIcon)}${words.challengeTitle}</h1>
      <p>${words.challengeText(card.issuer, card.lastFour)}</p>
      <form method="post" action="${context.path}?lang=${context.language}">
        <div class="field field-code">
          <label for="code">${words.code}</label>
          <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="6" required${
            wrong ? raw(' aria-invalid="true" aria-describedby="code-error"') : ''
          } />
          ${wrong ? html`<p class="error" id="code-error" role="alert">${words.wrongCode}</p>` : ''}
          <p class="hint">${words.challengeHint(challengeCode)}</p>
        </div>
        <button class="pay" name="action" value="challenge">${words.confirm}</button>
      </form>
      <form method="post" action="${context.path}?lang=${context.language}">
        <button class="quiet" name="action" value="cancel">${words.cancel}</button>
      </form>
    </section>
  </main>`,
  )
}

/** A page that only says how things stand, with the way back. */
export const messagePage = (context: PageContext, message: 'finished' | 'timeout' | 'missing', backUrl: string) => {
  const words = wordsOf(context.language)
  const title = words[`${message}Title`]
  return shell(
    context,
    words,
    title,
    html`<main class="message">
    <section class="panel">
      <h1>${title}</h1>
      <p>${words[`${message}Text`]}</p>
      <a class="pay" href="${backUrl}">${words.back}</a>
    </section>
  </main>`,
  )
}
