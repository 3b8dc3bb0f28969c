import { own, rent } from '../model/options.ts'
import type { DemoLesson, DemoOption, DemoProduct, VideoName } from '../model/types.ts'

/** 평생 소장과 30일 수강권; 금액은 원. */
export const offer = (price: number, listPrice?: number): readonly DemoOption[] => [
  own('평생 소장', price, listPrice),
  rent('30일 수강권', Math.round((price * 0.45) / 100) * 100, 30),
]

/** 강의 목록: 첫 강의는 누구나 볼 수 있습니다. */
export const lessons = (
  ...given: readonly (readonly [title: string, summary: string, video: VideoName])[]
): readonly DemoLesson[] =>
  given.map(([title, summary, video], index) => ({ title, summary, video, free: index === 0 }))

type Course = Omit<DemoProduct, 'kind' | 'access' | 'shape'> & Partial<Pick<DemoProduct, 'kind' | 'access'>>

/** 표지에 제목이 있는 강의; 따로 적지 않으면 구매해서 보는 영상입니다. */
export const course = (definition: Course): DemoProduct => ({
  kind: 'VOD',
  access: 'PURCHASE',
  shape: 'COURSE',
  ...definition,
})
