import { html, raw } from 'hono/html'
import { type CardField, type CardForm, challengeCode, grouped } from './cards.ts'
import { cardIcon, lockIcon } from './icons.ts'
import { field, type PageContext, shell } from './page.ts'
import { type RegistrationWords, registrationWordsOf } from './registration-words.ts'
import { storedCards } from './stored-cards.ts'
import { wordsOf } from './words.ts'

const summary = (context: PageContext, own: RegistrationWords, merchant: string) => html`<section class="summary">
    <p class="label">${own.keepWith}</p>
    <p class="merchant">${merchant}</p>
    <p class="title">${own.purpose}</p>
    <p class="note">${wordsOf(context.language).sandboxNote}</p>
  </section>`

const addressOf = (context: PageContext) => `${context.path}?lang=${context.language}`

const cancelForm = (context: PageContext) => html`<form method="post" action="${addressOf(context)}">
        <button class="quiet" name="action" value="cancel">${wordsOf(context.language).cancel}</button>
      </form>`

/** The form a card is left on. Nothing of a card that was typed is written back but its name and date; wrong fields are marked. */
export const registrationPage = (
  context: PageContext,
  merchant: string,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const words = wordsOf(context.language)
  const own = registrationWordsOf(context.language)
  return shell(
    context,
    words,
    `${own.title} · ${merchant}`,
    html`<main class="checkout">
    ${summary(context, own, merchant)}
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
        <button class="pay" name="action" value="save">${raw(lockIcon)}${own.save}</button>
        <p class="secure">${words.secure}</p>
      </form>
      ${cancelForm(context)}
    </section>
    ${testCards(context, own)}
  </main>`,
  )
}

const testCards = (
  context: PageContext,
  own: RegistrationWords,
) => html`<aside class="help" aria-labelledby="help-title">
    <h2 id="help-title">${own.helpTitle}</h2>
    <p>${own.helpText}</p>
    <ul>${storedCards.map(
      (card) => html`<li>
        <a href="${addressOf(context)}&amp;card=${card.number.slice(-4)}" aria-label="${wordsOf(context.language).use}: ${grouped(card.number)}">
          <span class="digits">${grouped(card.number)}</span>
          <span class="what">${own.behaviours[card.behaviour]}</span>
        </a>
      </li>`,
    )}</ul>
  </aside>`

/** The bank's second step before a card is kept. */
export const registrationChallengePage = (
  context: PageContext,
  merchant: string,
  card: { issuer: string; lastFour: string },
  isWrong: boolean,
) => {
  const words = wordsOf(context.language)
  const own = registrationWordsOf(context.language)
  return shell(
    context,
    words,
    `${words.challengeTitle} · ${merchant}`,
    html`<main class="checkout narrow">
    ${summary(context, own, merchant)}
    <section class="panel">
      <h1>${raw(lockIcon)}${words.challengeTitle}</h1>
      <p>${own.challengeText(card.issuer, card.lastFour)}</p>
      <form method="post" action="${addressOf(context)}">
        <div class="field field-code">
          <label for="code">${words.code}</label>
          <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="6" required${
            isWrong ? raw(' aria-invalid="true" aria-describedby="code-error"') : ''
          } />
          ${isWrong ? html`<p class="error" id="code-error" role="alert">${words.wrongCode}</p>` : ''}
          <p class="hint">${words.challengeHint(challengeCode)}</p>
        </div>
        <button class="pay" name="action" value="challenge">${own.confirm}</button>
      </form>
      ${cancelForm(context)}
    </section>
  </main>`,
  )
}

/** Says that nothing can be done here, with the way back. */
export const registrationMessage = (context: PageContext, message: 'finished' | 'missing', backUrl: string) => {
  const words = wordsOf(context.language)
  const own = registrationWordsOf(context.language)
  const title = own[`${message}Title`]
  return shell(
    context,
    words,
    title,
    html`<main class="message">
    <section class="panel">
      <h1>${title}</h1>
      <p>${own[`${message}Text`]}</p>
      <a class="pay" href="${backUrl}">${words.back}</a>
    </section>
  </main>`,
  )
}
