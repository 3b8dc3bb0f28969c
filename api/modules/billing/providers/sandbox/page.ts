import { html, raw } from 'hono/html'
import { negotiateLanguage } from '#contract/accept-language.ts'
import type { CardBehaviour, CardField } from './cards.ts'

const icon = (body: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${body}</svg>`

export const cardIcon = icon('<rect x="3" y="5.5" width="18" height="13" rx="2.5"/><path d="M3 10h18M7 14.5h4"/>')
export const lockIcon = icon('<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>')
export const markIcon = icon('<path d="M4 18V7l8 6 8-6v11"/>')

/** The page's own favicon. */
export const iconFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2544"/><path d="M8 22V11l8 6 8-6v11" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

export type Markup = ReturnType<typeof html>

/** What every page of the sandbox knows. `path` is the page's own address, without the query. */
export interface PageContext {
  language: PageLanguage
  path: string
  /** What the links to other languages keep of the address. */
  query?: Record<string, string>
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

const en = {
  title: 'Card payment',
  sandbox: 'Sandbox',
  sandboxNote: 'This is a test environment. No real money is charged, and only the test cards below are accepted.',
  sandboxNoteBank: 'This is a test environment. No real money is transferred.',
  payTo: 'Pay to',
  order: 'Order number',
  amount: 'Amount',
  heading: 'Card details',
  fields: {
    number: 'Card number',
    expiry: 'Expiry date',
    cvc: 'Security code',
    name: 'Name on card',
  } satisfies Record<CardField, string>,
  hints: { expiry: 'MM / YY', cvc: '3 or 4 digits' },
  wrong: {
    number: 'Enter a valid card number of 12 to 19 digits.',
    expiry: 'Enter the month and year on the card, such as 08 / 30. The card must not be expired.',
    cvc: 'Enter the 3- or 4-digit security code.',
    name: 'Enter the name on the card.',
  } satisfies Record<CardField, string>,
  summary: 'Check the highlighted fields.',
  pay: (amount: string) => `Pay ${amount}`,
  cancel: 'Cancel and return to the store',
  secure: 'Card numbers aren’t stored. Only the brand and last four digits are kept.',
  helpTitle: 'Test cards',
  helpText: 'Use any future expiry date, security code, and name. Select a card to fill in the form.',
  use: 'Use this card',
  behaviours: {
    SUCCESS: 'The payment succeeds',
    DECLINED: 'The card is declined',
    INSUFFICIENT_FUNDS: 'Declined for insufficient funds',
    CHALLENGE: 'A verification code is required',
    TIMEOUT_AFTER_CHARGE: 'The connection is lost after the charge',
    LATE_WEBHOOK: 'Confirmed by webhook after five seconds',
    DUPLICATE_WEBHOOK: 'The webhook is sent three times',
    REFUND_REFUSED: 'Paid, but the first refund fails',
  } satisfies Record<CardBehaviour, string>,
  challengeTitle: 'Verify your identity',
  challengeText: (issuer: string, lastFour: string) =>
    `The bank that issued your ${issuer} card ending in ${lastFour} needs to verify your identity.`,
  challengeHint: (code: string) => `In the sandbox the code is always ${code}.`,
  code: 'Verification code',
  wrongCode: 'Incorrect code. Try again.',
  confirm: 'Confirm payment',
  finishedTitle: 'This payment is closed',
  finishedText: 'This payment can no longer be completed here. The store has the result.',
  back: 'Return to the store',
  timeoutTitle: 'The connection was lost',
  timeoutText:
    'We couldn’t send your payment result to the store. Don’t pay again. The store will check the result and show it on your order.',
  missingTitle: 'Payment not found',
  missingText: 'The link is incomplete, or the payment was removed. Return to the store and start again.',
  language: 'Language',
}

export type Words = typeof en

const ko: Words = {
  title: '카드 결제',
  sandbox: '테스트 결제',
  sandboxNote: '실제로 결제되지 않아요. 아래 테스트 카드만 사용할 수 있어요.',
  sandboxNoteBank: '실제로 입금되지 않아요.',
  payTo: '판매자',
  order: '주문 번호',
  amount: '결제 금액',
  heading: '카드 정보',
  fields: { number: '카드 번호', expiry: '유효기간', cvc: '보안 코드', name: '카드 소유자 이름' },
  hints: { expiry: '월 / 연', cvc: '3~4자리 숫자' },
  wrong: {
    number: '카드 번호 12~19자리를 정확히 입력해 주세요.',
    expiry: '카드에 적힌 월과 연도를 08 / 30처럼 입력해 주세요. 만료된 카드는 쓸 수 없어요.',
    cvc: '보안 코드 3~4자리를 입력해 주세요.',
    name: '카드에 적힌 이름을 입력해 주세요.',
  },
  summary: '표시된 항목을 확인해 주세요.',
  pay: (amount) => `${amount} 결제하기`,
  cancel: '취소하고 스토어로 돌아가기',
  secure: '카드 번호는 저장하지 않아요. 카드 브랜드와 끝 네 자리만 보관해요.',
  helpTitle: '테스트 카드',
  helpText:
    '유효기간은 오늘 이후면 되고, 보안 코드와 이름은 아무 값이나 입력해도 돼요. 카드를 선택하면 자동으로 입력돼요.',
  use: '이 카드 사용',
  behaviours: {
    SUCCESS: '결제 성공',
    DECLINED: '카드 거절',
    INSUFFICIENT_FUNDS: '잔액 부족으로 거절',
    CHALLENGE: '인증 코드 입력 필요',
    TIMEOUT_AFTER_CHARGE: '결제 후 연결 끊김',
    LATE_WEBHOOK: '5초 뒤 웹훅으로 결제 완료',
    DUPLICATE_WEBHOOK: '웹훅 세 번 전송',
    REFUND_REFUSED: '결제 성공, 첫 번째 환불 실패',
  },
  challengeTitle: '본인 확인',
  challengeText: (issuer, lastFour) => `${issuer} 카드(끝자리 ${lastFour})를 발급한 은행에서 본인 인증을 요청했어요.`,
  challengeHint: (code) => `테스트 결제의 인증 코드는 항상 ${code}이에요.`,
  code: '인증 코드',
  wrongCode: '인증 코드가 올바르지 않아요. 다시 입력해 주세요.',
  confirm: '결제 확인',
  finishedTitle: '종료된 결제예요',
  finishedText: '더 이상 결제할 수 없어요. 결과는 스토어에 전달됐어요.',
  back: '스토어로 돌아가기',
  timeoutTitle: '연결이 끊어졌어요',
  timeoutText:
    '결제 결과를 스토어에 전달하지 못했어요. 다시 결제하지 마세요. 스토어에서 결과를 확인해 주문에 표시해요.',
  missingTitle: '결제를 찾을 수 없어요',
  missingText: '링크가 올바르지 않거나 삭제된 결제예요. 스토어로 돌아가 다시 시작해 주세요.',
  language: '언어',
}

const languages = { en, ko } as const
export type PageLanguage = keyof typeof languages

export const wordsOf = (language: PageLanguage): Words => languages[language]

/** The page's language: chosen on it, else the store's, else the browser's, else English. */
export const pageLanguage = (chosen: string | null, stored: string | null, accept: string | null): PageLanguage => {
  const offered = ['en', 'ko'] as const
  for (const tag of [chosen, stored]) {
    const language = offered.find((name) => name === tag?.slice(0, 2).toLowerCase())
    if (language) return language
  }
  return negotiateLanguage(accept, offered, 'en')
}
