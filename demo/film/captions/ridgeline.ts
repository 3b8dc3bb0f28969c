import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.6, end: 3.2, en: '[Soft wind, a plucked melody]', ko: '[잔잔한 바람 소리, 현을 뜯는 선율]' },
  { start: 3.5, end: 6.6, en: 'The last light leaves the valley first.', ko: '마지막 빛은 골짜기에서 먼저 떠난다.' },
  {
    start: 7,
    end: 10.2,
    en: 'It climbs from ridge to ridge,\nas if looking for its way home.',
    ko: '집으로 가는 길을 찾듯\n능선에서 능선으로 올라간다.',
  },
  {
    start: 10.7,
    end: 13.8,
    en: 'Seven birds cross before the dark does.',
    ko: '어둠보다 먼저, 새 일곱 마리가 건너간다.',
  },
  {
    start: 14.3,
    end: 17.2,
    en: 'The pines have seen this ten thousand times.',
    ko: '소나무들은 이 풍경을 만 번도 더 보았다.',
  },
  {
    start: 17.6,
    end: 20.6,
    en: 'They still stand up straight to watch.',
    ko: '그래도 여전히 몸을 곧게 세우고 바라본다.',
  },
  { start: 21, end: 23.4, en: '[The wind settles]', ko: '[바람이 잦아든다]' },
]
