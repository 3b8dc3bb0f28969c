import type { VideoName } from './types.ts'

/** What happens when in a clip: the second, and its name in English and Korean. */
export const CHAPTERS: Readonly<Record<VideoName, readonly (readonly [seconds: number, en: string, ko: string])[]>> = {
  ridgeline: [
    [0, 'The valley', '골짜기'],
    [10, 'Seven birds', '새 일곱 마리'],
    [14, 'The pines', '소나무'],
  ],
  tide: [
    [0, 'The moon', '달'],
    [8, 'The boat', '배'],
    [16, 'Open water', '먼바다'],
  ],
  skyline: [
    [0, 'Dusk', '해 질 녘'],
    [8, 'Windows', '창문'],
    [16, 'Night', '밤'],
  ],
  lanterns: [
    [0, 'Letting go', '띄우기'],
    [8, 'Rising', '오르기'],
    [16, 'Far away', '멀리'],
  ],
  bauhaus: [
    [0, 'Squares', '사각형'],
    [8, 'Circles', '원'],
    [16, 'Together', '함께'],
  ],
  orbit: [
    [0, 'The approach', '다가가기'],
    [7, 'The rings', '고리'],
    [14, 'The comet', '혜성'],
  ],
  'lesson-brush': [
    [0, 'The cane', '줄기'],
    [10, 'Branches and leaves', '가지와 잎'],
    [17, 'Empty paper', '여백'],
  ],
  'lesson-chart': [
    [0, 'The axes', '두 축'],
    [6, 'Simple interest', '단리'],
    [13, 'Compound interest', '복리'],
  ],
  'lesson-code': [
    [0, 'The list', '배열'],
    [6, 'The function', '함수'],
    [16, 'Running it', '실행'],
  ],
}
