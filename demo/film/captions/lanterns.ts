import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.6, end: 3.2, en: '[Small bells]', ko: '[작은 종소리]' },
  {
    start: 3.6,
    end: 6.8,
    en: 'Write one line, Grandmother told us.\nOnly one.',
    ko: '한 줄만 적으렴, 할머니가 말씀하셨다.\n딱 한 줄만.',
  },
  { start: 7.3, end: 10.4, en: 'Paper cannot carry more than that.', ko: '종이는 그보다 무거운 것을 들지 못한단다.' },
  { start: 10.9, end: 13.6, en: 'Mina wished for snow.', ko: '미나는 눈이 오기를 빌었다.' },
  { start: 14, end: 17, en: 'I wished for everyone to stay.', ko: '나는 모두가 곁에 있기를 빌었다.' },
  {
    start: 17.5,
    end: 20.6,
    en: 'Then we let go, and the hills\nfilled with small suns.',
    ko: '손을 놓자, 언덕은\n작은 해들로 가득 찼다.',
  },
  { start: 21, end: 23.4, en: '[The bells answer each other]', ko: '[종소리가 서로 화답한다]' },
]
