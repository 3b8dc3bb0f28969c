import type { StoredBehaviour } from './stored-cards.ts'
import type { PageLanguage } from './words.ts'

const en = {
  title: 'Card registration',
  keepWith: 'Keep a card with',
  purpose: 'It pays for what you subscribe to. Nothing is charged on this page.',
  save: 'Save this card',
  helpTitle: 'Test cards',
  helpText: 'Choose a card to fill the form in. What it does shows when it is charged.',
  challengeText: (issuer: string, lastFour: string) =>
    `The bank that issued your ${issuer} card ending in ${lastFour} wants to be sure that it is you who leaves it here.`,
  confirm: 'Confirm the card',
  finishedTitle: 'This registration is closed',
  finishedText: 'Nothing more can be done here. The store knows how it ended.',
  missingTitle: 'There is no such registration',
  missingText:
    'The address is not complete, or the registration was removed. Please go back to the store and begin again.',
  behaviours: {
    SUCCESS: 'Registered; every charge succeeds',
    CHALLENGE: 'A second step asks for a code',
    DECLINED: 'The registration is declined',
    DECLINED_LATER: 'Registered; every charge is declined',
    INSUFFICIENT_FUNDS: 'Registered; charges fail for insufficient funds',
    RENEWALS_DECLINED: 'The first charge succeeds, all others are declined',
    RECOVERS: 'The second and third charges fail, then it works again',
    TIMEOUT_AFTER_CHARGE: 'Charged, but the answer is lost',
    LATE_WEBHOOK: 'Charges are settled five seconds late',
    EXPIRES_SOON: 'Expires at the end of this month',
  } satisfies Record<StoredBehaviour, string>,
}

export type RegistrationWords = typeof en

const ko: RegistrationWords = {
  title: '카드 등록',
  keepWith: '카드를 등록할 곳',
  purpose: '이용권 결제에 사용됩니다. 이 화면에서는 결제되지 않습니다.',
  save: '이 카드 등록하기',
  helpTitle: '테스트 카드',
  helpText: '카드를 고르면 번호가 채워집니다. 카드마다 결제될 때의 결과가 다릅니다.',
  challengeText: (issuer, lastFour) =>
    `${issuer} 카드(끝자리 ${lastFour})를 발급한 은행에서 카드를 등록하는 분이 본인인지 확인합니다.`,
  confirm: '카드 확인',
  finishedTitle: '종료된 등록입니다',
  finishedText: '더 이상 진행할 수 없습니다. 결과는 스토어에 전달되었습니다.',
  missingTitle: '카드 등록을 찾을 수 없습니다',
  missingText: '주소가 올바르지 않거나 삭제된 등록입니다. 스토어로 돌아가 다시 시작해 주세요.',
  behaviours: {
    SUCCESS: '등록되고, 모든 결제가 성공합니다',
    CHALLENGE: '인증 코드를 한 번 더 묻습니다',
    DECLINED: '등록이 거절됩니다',
    DECLINED_LATER: '등록되지만, 모든 결제가 거절됩니다',
    INSUFFICIENT_FUNDS: '등록되지만, 잔액 부족으로 결제되지 않습니다',
    RENEWALS_DECLINED: '첫 결제만 성공하고 그다음부터 거절됩니다',
    RECOVERS: '두 번째와 세 번째 결제만 실패합니다',
    TIMEOUT_AFTER_CHARGE: '결제되지만 응답이 끊어집니다',
    LATE_WEBHOOK: '결제가 5초 늦게 완료됩니다',
    EXPIRES_SOON: '이번 달 말에 만료됩니다',
  },
}

const languages = { en, ko } as const
export const registrationWordsOf = (language: PageLanguage): RegistrationWords => languages[language]
