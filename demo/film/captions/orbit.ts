import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.8, end: 3.6, en: '[Deep, slow chords]', ko: '[깊고 느린 화음]' },
  { start: 4, end: 7.2, en: 'It took eleven years to get here.', ko: '여기까지 오는 데 십일 년이 걸렸습니다.' },
  {
    start: 7.6,
    end: 10.8,
    en: 'The rings are ice: most of it\nno larger than a snowball.',
    ko: '고리는 얼음입니다. 대부분은\n눈덩이보다 크지 않습니다.',
  },
  { start: 11.2, end: 13.9, en: 'Three moons keep them in line.', ko: '위성 세 개가 고리를 가지런히 붙들고 있습니다.' },
  { start: 14.2, end: 17, en: 'There — a comet, just passing through.', ko: '저기, 혜성 하나가 지나갑니다.' },
  { start: 17.4, end: 20.4, en: 'We sent one word home: “Arrived.”', ko: '우리는 집으로 한마디를 보냈습니다. “도착.”' },
  { start: 20.8, end: 23.4, en: '[A bell, far away]', ko: '[멀리서 들리는 종소리]' },
]
