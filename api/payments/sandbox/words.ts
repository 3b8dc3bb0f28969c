import type { CardBehaviour, CardField } from './cards.ts'

const en = {
  title: 'Card payment',
  sandbox: 'Sandbox',
  sandboxNote: 'No real money moves here. Only the test cards below are accepted.',
  sandboxNoteBank: 'No real money moves here.',
  payTo: 'Pay to',
  order: 'Order',
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
    number: 'Check the card number: it has 12 to 19 digits, and the last one must fit the others.',
    expiry: 'Give the month and year on the card, such as 08 / 30. It must not have passed.',
    cvc: 'Give the 3 or 4 digits of the security code.',
    name: 'Give the name as it stands on the card.',
  } satisfies Record<CardField, string>,
  summary: 'Please correct what is marked below.',
  pay: (amount: string) => `Pay ${amount}`,
  cancel: 'Cancel and return to the store',
  secure: 'The card number is checked and forgotten. Only the card’s brand and last four digits are kept.',
  helpTitle: 'Test cards',
  helpText: 'Any future expiry date, any security code and any name will do. Choose a card to fill the form in.',
  use: 'Use this card',
  behaviours: {
    SUCCESS: 'The payment succeeds',
    DECLINED: 'The card is declined',
    INSUFFICIENT_FUNDS: 'Declined for insufficient funds',
    CHALLENGE: 'A second step asks for a code',
    TIMEOUT_AFTER_CHARGE: 'The connection is lost after the charge',
    LATE_WEBHOOK: 'Settled five seconds late, by webhook',
    DUPLICATE_WEBHOOK: 'The webhook is sent three times',
    REFUND_REFUSED: 'Paid, but the first refund is refused',
  } satisfies Record<CardBehaviour, string>,
  challengeTitle: 'Confirm it is you',
  challengeText: (issuer: string, lastFour: string) =>
    `The bank that issued your ${issuer} card ending in ${lastFour} wants to be sure that it is you who is paying.`,
  challengeHint: (code: string) => `In the sandbox the code is always ${code}.`,
  code: 'Confirmation code',
  wrongCode: 'This is not the code. Please try again.',
  confirm: 'Confirm the payment',
  finishedTitle: 'This payment is closed',
  finishedText: 'Nothing more can be paid here. The store knows how it ended.',
  back: 'Return to the store',
  timeoutTitle: 'The connection was lost',
  timeoutText:
    'We could not tell the store how your payment ended. Do not pay again: the store asks us and shows the result on your order.',
  missingTitle: 'There is no such payment',
  missingText: 'The address is not complete, or the payment was removed. Please go back to the store and begin again.',
  language: 'Language',
}

export type Words = typeof en

const ko: Words = {
  title: '카드 결제',
  sandbox: '테스트 결제',
  sandboxNote: '실제로 결제되지 않습니다. 아래의 테스트 카드만 사용할 수 있습니다.',
  sandboxNoteBank: '실제로 입금되지 않습니다.',
  payTo: '판매자',
  order: '주문',
  amount: '결제 금액',
  heading: '카드 정보',
  fields: { number: '카드 번호', expiry: '유효기간', cvc: '보안 코드', name: '카드 소유자 이름' },
  hints: { expiry: '월 / 연', cvc: '3~4자리 숫자' },
  wrong: {
    number: '카드 번호를 확인해 주세요. 12~19자리이며 마지막 숫자가 맞아야 합니다.',
    expiry: '카드에 적힌 월과 연도를 08 / 30처럼 입력해 주세요. 지난 날짜는 사용할 수 없습니다.',
    cvc: '보안 코드 3~4자리를 입력해 주세요.',
    name: '카드에 적힌 이름을 입력해 주세요.',
  },
  summary: '표시된 항목을 고쳐 주세요.',
  pay: (amount) => `${amount} 결제하기`,
  cancel: '취소하고 스토어로 돌아가기',
  secure: '카드 번호는 확인 후 저장하지 않습니다. 카드 브랜드와 마지막 네 자리만 보관합니다.',
  helpTitle: '테스트 카드',
  helpText: '유효기간은 앞으로의 날짜면 되고, 보안 코드와 이름은 무엇이든 됩니다. 카드를 고르면 번호가 채워집니다.',
  use: '이 카드 사용',
  behaviours: {
    SUCCESS: '결제가 완료됩니다',
    DECLINED: '카드가 거절됩니다',
    INSUFFICIENT_FUNDS: '잔액 부족으로 거절됩니다',
    CHALLENGE: '인증 코드를 한 번 더 묻습니다',
    TIMEOUT_AFTER_CHARGE: '결제된 뒤 연결이 끊어집니다',
    LATE_WEBHOOK: '5초 뒤 웹훅으로 완료됩니다',
    DUPLICATE_WEBHOOK: '웹훅이 세 번 전송됩니다',
    REFUND_REFUSED: '결제되지만 첫 번째 환불은 거절됩니다',
  },
  challengeTitle: '본인 확인',
  challengeText: (issuer, lastFour) =>
    `${issuer} 카드(끝자리 ${lastFour})를 발급한 은행에서 결제하는 분이 본인인지 확인합니다.`,
  challengeHint: (code) => `테스트 결제의 인증 코드는 항상 ${code}입니다.`,
  code: '인증 코드',
  wrongCode: '인증 코드가 맞지 않습니다. 다시 입력해 주세요.',
  confirm: '결제 확인',
  finishedTitle: '종료된 결제입니다',
  finishedText: '더 이상 결제할 수 없습니다. 결과는 스토어에 전달되었습니다.',
  back: '스토어로 돌아가기',
  timeoutTitle: '연결이 끊어졌습니다',
  timeoutText:
    '결제 결과를 스토어에 전하지 못했습니다. 다시 결제하지 마세요. 스토어가 결과를 확인해 주문에 표시합니다.',
  missingTitle: '결제를 찾을 수 없습니다',
  missingText: '주소가 올바르지 않거나 삭제된 결제입니다. 스토어로 돌아가 다시 시작해 주세요.',
  language: '언어',
}

const languages = { en, ko } as const
export type PageLanguage = keyof typeof languages

export const wordsOf = (language: PageLanguage): Words => languages[language]

/** The page's language: chosen on it, else the store's, else the browser's, else English. */
export const pageLanguage = (chosen: string | null, stored: string | null, accept: string | null): PageLanguage => {
  const wishes = [chosen, stored, ...(accept ?? '').split(',')]
  for (const wish of wishes) {
    const name = wish?.trim().slice(0, 2).toLowerCase()
    if (name === 'en' || name === 'ko') return name
  }
  return 'en'
}
