import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.5, end: 2.8, en: '[Lively strings and brushes]', ko: '[경쾌한 현과 브러시 소리]' },
  {
    start: 3.1,
    end: 6,
    en: 'Five colours. Five shapes. Two dozen tiles.',
    ko: '다섯 가지 색, 다섯 가지 모양, 타일 스물네 장.',
  },
  { start: 6.4, end: 9.4, en: 'No tile knows what the picture is.', ko: '어느 타일도 전체 그림을 알지 못합니다.' },
  {
    start: 9.8,
    end: 12.8,
    en: 'Turn one, and its neighbours\nmean something else.',
    ko: '하나를 돌리면 이웃한 타일의\n의미도 달라집니다.',
  },
  {
    start: 13.2,
    end: 16.2,
    en: 'A quarter becomes a leaf. Two halves, an hourglass.',
    ko: '사분원은 잎이 되고, 반원 둘은 모래시계가 됩니다.',
  },
  {
    start: 16.6,
    end: 19.8,
    en: 'That is composition:\nnot the parts, but what they do together.',
    ko: '이것이 구성입니다.\n부분이 아니라, 함께 이루는 것이지요.',
  },
  { start: 20.3, end: 23.2, en: '[One last turn]', ko: '[마지막 한 바퀴]' },
]
