import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { pageStart } from '#api/platform/elements.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'
import type { CardBehaviour, CardField } from './cards.ts'

const icon = (body: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${body}</svg>`

export const cardIcon = icon('<rect x="3" y="5.5" width="18" height="13" rx="2.5"/><path d="M3 10h18M7 14.5h4"/>')
export const lockIcon = icon('<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>')
const markIcon = icon('<path d="M4 18V7l8 6 8-6v11"/>')

/** The page's own favicon. */
export const iconFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2544"/><path d="M8 22V11l8 6 8-6v11" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

export type Markup = ReturnType<typeof html>

/** The data of every sandbox page. `path` is the page's own address without the query. */
export interface PageContext {
  language: Locale
  path: string
  /** Query parameters that the language links preserve. */
  query: Record<string, string>
}

/** The layout of every page. */
export const layout = (context: PageContext, labels: PageLabels, title: string, body: Markup) =>
  html`${pageStart(context.language, { title, icon: '/sandbox/icon.svg', stylesheet: '/sandbox/pay.css' })}
  <body>
    <header class="bar">
      <span class="brand">${raw(markIcon)}<span>Marquee Pay</span><span class="badge">${labels.sandbox}</span></span>
      <nav aria-label="${labels.language}">${Object.entries(languageNames).map(([language, name]) => languageLink(context, language, name))}</nav>
    </header>
    ${body}
  </body>
</html>`

const languageNames: Record<Locale, string> = { en: 'English', ko: '한국어', ja: '日本語', ar: 'العربية' }

const languageLink = (context: PageContext, language: string, name: string) =>
  html`<a href="${context.path}?${new URLSearchParams({ ...context.query, lang: language }).toString()}" lang="${language}" hreflang="${language}"${
    context.language === language ? raw(' aria-current="true"') : ''
  }>${name}</a>`

const pageTexts = (i18n: I18n) => ({
  title: i18n._('Card payment'),
  sandbox: i18n._('Sandbox'),
  sandboxNote: i18n._(
    'This is a test environment. No real money is charged, and only the test cards below are accepted.',
  ),
  sandboxNoteBank: i18n._('This is a test environment. No real money is transferred.'),
  payTo: i18n._('Pay to'),
  order: i18n._('Order number'),
  heading: i18n._('Card details'),
  fields: {
    number: i18n._('Card number'),
    expiry: i18n._('Expiry date'),
    cvc: i18n._('Security code'),
    name: i18n._('Name on card'),
  } satisfies Record<CardField, string>,
  hints: { expiry: i18n._('MM / YY'), cvc: i18n._('3 or 4 digits') },
  wrong: {
    number: i18n._('Enter a valid card number of 12 to 19 digits.'),
    expiry: i18n._('Enter the month and year on the card, such as 08 / 30. The card must not be expired.'),
    cvc: i18n._('Enter the 3- or 4-digit security code.'),
    name: i18n._('Enter the name on the card.'),
  } satisfies Record<CardField, string>,
  summary: i18n._('Check the highlighted fields.'),
  pay: (amount: string) => i18n._('Pay {amount}', { amount }),
  cancel: i18n._('Cancel and return to the store'),
  secure: i18n._('Card numbers aren’t stored. Only the brand and last four digits are kept.'),
  helpTitle: i18n._('Test cards'),
  helpText: i18n._('Use any future expiry date, security code, and name. Select a card to fill in the form.'),
  use: i18n._('Use this card'),
  behaviours: {
    SUCCESS: i18n._('The payment succeeds'),
    DECLINED: i18n._('The card is declined'),
    INSUFFICIENT_FUNDS: i18n._('Declined for insufficient funds'),
    CHALLENGE: i18n._('A verification code is required'),
    TIMEOUT_AFTER_CHARGE: i18n._('The connection is lost after the charge'),
    LATE_WEBHOOK: i18n._('Confirmed by webhook after five seconds'),
    DUPLICATE_WEBHOOK: i18n._('The webhook is sent three times'),
    REFUND_REFUSED: i18n._('Paid, but the first refund fails'),
  } satisfies Record<CardBehaviour, string>,
  challengeTitle: i18n._('Verify your identity'),
  challengeText: (issuer: string, lastFour: string) =>
    i18n._('The bank that issued your {issuer} card ending in {lastFour} needs to verify your identity.', {
      issuer,
      lastFour,
    }),
  challengeHint: (code: string) => i18n._('In the sandbox the code is always {code}.', { code }),
  code: i18n._('Verification code', {}, { context: 'payment page' }),
  wrongCode: i18n._('Incorrect code. Try again.'),
  confirm: i18n._('Confirm payment'),
  finishedTitle: i18n._('This payment is closed', {}, { context: 'test payment' }),
  finishedText: i18n._('This payment can no longer be completed here. The store has the result.'),
  back: i18n._('Return to the store'),
  timeoutTitle: i18n._('The connection was lost'),
  timeoutText: i18n._(
    'We couldn’t send your payment result to the store. Don’t pay again. The store will check the result and show it on your order.',
  ),
  missingTitle: i18n._('Payment not found'),
  missingText: i18n._('The link is incomplete, or the payment was removed. Return to the store and start again.'),
  language: i18n._('Language'),
})

export type PageLabels = ReturnType<typeof pageTexts>

/** Returns the texts of the payment page in a language. */
export const pageLabels = (language: Locale): PageLabels => pageTexts(messagesOf(language))

/** Returns the context of a page: in the language chosen on the page, or in the browser's. */
export const pageContextOf = (context: Context, query: Record<string, string> = {}): PageContext => ({
  path: context.req.path,
  query,
  language: pageLanguage(context.req.query('lang'), context.req.header('accept-language')),
})

const pageLanguage = (chosen: string | undefined, accept: string | undefined): Locale => {
  const { options } = localeSchema
  const tag = chosen?.slice(0, 2).toLowerCase()
  return options.find((language) => language === tag) ?? negotiateLanguage(accept, options, 'en')
}
