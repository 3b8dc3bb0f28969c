import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.5, end: 3, en: 'Today we write our first function.', ko: '오늘은 첫 번째 함수를 작성해 봅시다.' },
  { start: 3.3, end: 6, en: 'Here are five test scores in a list.', ko: '시험 점수 다섯 개가 담긴 배열입니다.' },
  {
    start: 6.3,
    end: 9.2,
    en: 'A function has a name\nand something it is given.',
    ko: '함수에는 이름이 있고,\n전달받는 값이 있습니다.',
  },
  {
    start: 9.5,
    end: 13,
    en: 'We go through the list and add up each score.',
    ko: '배열을 돌면서 점수를 하나씩 더합니다.',
  },
  {
    start: 13.3,
    end: 16.2,
    en: 'Divide by how many there are,\nand return the result.',
    ko: '개수로 나눈 다음\n결과를 돌려줍니다.',
  },
  { start: 16.5, end: 19.4, en: 'Now call it, and press Run.', ko: '이제 함수를 호출하고 실행을 누르세요.' },
  {
    start: 19.8,
    end: 23.3,
    en: 'The average is 86.6. Try it with your own scores.',
    ko: '평균은 86.6입니다. 여러분의 점수로도 해 보세요.',
  },
]
