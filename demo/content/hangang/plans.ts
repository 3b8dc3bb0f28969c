import type { DemoPlan, DemoProduct } from '../model/types.ts'

/** 나온 지 이만큼 지난 강의는 이용권으로도 볼 수 있습니다. */
const DAYS_UNTIL_ON_PLAN = 30

/** 이용권에 들어오는 강의: 공개한 지 30일이 지난, 구매해서 보는 영상 강의. */
export const withPlan = (product: DemoProduct): DemoProduct =>
  product.kind === 'VOD' && product.access === 'PURCHASE' && product.age >= DAYS_UNTIL_ON_PLAN
    ? { ...product, access: 'PURCHASE_OR_PLAN' }
    : product

export const HANGANG_PLANS: readonly DemoPlan[] = [
  {
    code: 'hangang-creative',
    name: '창작 이용권',
    summary: '드로잉부터 글쓰기까지, 창작 강의를 마음껏.',
    benefits: ['매달 새 강의 추가'],
    price: 6900,
    cycle: 'MONTH',
    categories: ['creative'],
    streams: 1,
  },
  {
    code: 'hangang-all',
    name: '전 강의 이용권',
    summary: '창작, 데이터, 교양, 생활 강의를 모두 볼 수 있습니다.',
    benefits: ['공개한 지 30일이 지난 강의는 자동으로 추가'],
    price: 9900,
    cycle: 'MONTH',
    trialDays: 7,
    streams: 2,
    recommended: true,
  },
  {
    code: 'hangang-all-year',
    name: '전 강의 연간 이용권',
    summary: '1년을 한 번에 결제하고 두 달을 아끼세요.',
    benefits: ['전 강의 이용권의 모든 혜택', '열 달 값으로 열두 달'],
    price: 99000,
    cycle: 'YEAR',
    trialDays: 7,
    streams: 2,
  },
  {
    code: 'hangang-team',
    name: '팀 이용권',
    summary: '다섯 명까지 함께 배우는 작은 팀을 위한 이용권입니다.',
    benefits: ['전 강의 이용권의 모든 혜택', '제휴 회원사 전용 실무 강의'],
    price: 39000,
    cycle: 'MONTH',
    streams: 5,
  },
]
