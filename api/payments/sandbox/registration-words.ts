import type { StoredBehaviour } from './stored-cards.ts'
import type { PageLanguage } from './words.ts'

const en = {
  title: 'Card registration',
  keepWith: 'Save a card for',
  purpose: 'This card pays for your subscription. You won’t be charged on this page.',
  save: 'Save card',
  helpTitle: 'Test cards',
  helpText: 'Select a card to fill in the form. Each card behaves differently when it’s charged.',
  challengeText: (issuer: string, lastFour: string) =>
    `The bank that issued your ${issuer} card ending in ${lastFour} needs to verify your identity.`,
  confirm: 'Confirm card',
  finishedTitle: 'This registration is closed',
  finishedText: 'This registration can no longer be completed here. The store has the result.',
  missingTitle: 'Registration not found',
  missingText: 'The link is incomplete, or the registration was removed. Return to the store and start again.',
  behaviours: {
    SUCCESS: 'Registered; every charge succeeds',
    CHALLENGE: 'A verification code is required',
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
  purpose: '이용권 결제에 쓰는 카드예요. 이 화면에서는 결제되지 않아요.',
  save: '이 카드 등록하기',
  helpTitle: '테스트 카드',
  helpText: '카드를 선택하면 자동으로 입력돼요. 카드마다 결제 결과가 달라요.',
  challengeText: (issuer, lastFour) => `${issuer} 카드(끝자리 ${lastFour})를 발급한 은행에서 본인 인증을 요청했어요.`,
  confirm: '카드 확인',
  finishedTitle: '종료된 등록이에요',
  finishedText: '더 이상 진행할 수 없어요. 결과는 스토어에 전달됐어요.',
  missingTitle: '카드 등록을 찾을 수 없어요',
  missingText: '링크가 올바르지 않거나 삭제된 등록이에요. 스토어로 돌아가 다시 시작해 주세요.',
  behaviours: {
    SUCCESS: '등록 성공, 모든 결제 성공',
    CHALLENGE: '인증 코드 입력 필요',
    DECLINED: '등록 거절',
    DECLINED_LATER: '등록 성공, 모든 결제 거절',
    INSUFFICIENT_FUNDS: '등록 성공, 잔액 부족으로 결제 실패',
    RENEWALS_DECLINED: '첫 결제만 성공, 이후 거절',
    RECOVERS: '두 번째와 세 번째 결제만 실패',
    TIMEOUT_AFTER_CHARGE: '결제 후 응답 유실',
    LATE_WEBHOOK: '결제가 5초 늦게 완료',
    EXPIRES_SOON: '이번 달 말에 만료',
  },
}

const languages = { en, ko } as const
export const registrationWordsOf = (language: PageLanguage): RegistrationWords => languages[language]
