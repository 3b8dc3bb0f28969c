import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  {
    start: 0.6,
    end: 3.2,
    en: 'Let’s draw what interest does to your savings.',
    ko: '이자가 저축을 어떻게 바꾸는지 그려 보겠습니다.',
  },
  { start: 3.5, end: 6.4, en: 'Years go to the right, money goes up.', ko: '가로축은 햇수, 세로축은 금액입니다.' },
  {
    start: 6.7,
    end: 10.2,
    en: 'Each bar is the balance at the end of a year.',
    ko: '막대 하나가 한 해를 마쳤을 때의 잔액입니다.',
  },
  {
    start: 10.6,
    end: 13.8,
    en: 'With simple interest the growth\nis a straight line.',
    ko: '단리라면 잔액은\n직선으로 늘어납니다.',
  },
  {
    start: 14.2,
    end: 17.4,
    en: 'With compound interest, the interest\nearns interest too.',
    ko: '복리에서는 이자에도\n다시 이자가 붙습니다.',
  },
  { start: 17.8, end: 20.6, en: 'This gap is what patience pays you.', ko: '이 차이가 바로 기다림의 값입니다.' },
  { start: 20.9, end: 23.5, en: 'Pause here, and copy the formula.', ko: '여기서 잠시 멈추고 공식을 적어 보세요.' },
]
