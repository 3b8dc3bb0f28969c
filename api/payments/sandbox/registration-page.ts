import { html } from 'hono/html'
import { cardFormPage, closingPage, codeFormPage } from './card-form.ts'
import type { CardField, CardForm } from './cards.ts'
import type { PageContext } from './page.ts'
import { registrationWordsOf } from './registration-words.ts'
import { storedCards } from './stored-cards.ts'
import { wordsOf } from './words.ts'

const summary = ({ language }: PageContext, merchant: string) => html`<section class="summary">
    <p class="label">${registrationWordsOf(language).keepWith}</p>
    <p class="merchant">${merchant}</p>
    <p class="title">${registrationWordsOf(language).purpose}</p>
    <p class="note">${wordsOf(language).sandboxNote}</p>
  </section>`

/** The form a card is left on. */
export const registrationPage = (
  context: PageContext,
  merchant: string,
  form: Partial<CardForm>,
  wrong: readonly CardField[] = [],
) => {
  const words = registrationWordsOf(context.language)
  const page = {
    merchant,
    title: words.title,
    summary: summary(context, merchant),
    submit: { action: 'save', label: words.save },
    help: {
      title: words.helpTitle,
      text: words.helpText,
      cards: storedCards.map(({ number, behaviour }) => ({ number, what: words.behaviours[behaviour] })),
    },
  } as const
  return cardFormPage(context, page, form, wrong)
}

/** The bank's second step before a card is kept. */
export const registrationChallengePage = (
  context: PageContext,
  merchant: string,
  card: { issuer: string; lastFour: string },
  isWrong: boolean,
) => {
  const words = registrationWordsOf(context.language)
  const text = words.challengeText(card.issuer, card.lastFour)
  return codeFormPage(context, { merchant, summary: summary(context, merchant), text, confirm: words.confirm }, isWrong)
}

/** Says that nothing can be done here, with the way back. */
export const registrationMessage = (context: PageContext, message: 'finished' | 'missing', backUrl: string) => {
  const words = registrationWordsOf(context.language)
  return closingPage(context, words[`${message}Title`], words[`${message}Text`], backUrl)
}
