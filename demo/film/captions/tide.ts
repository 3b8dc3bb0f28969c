import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.6, end: 3.4, en: '[Waves roll in; slow piano]', ko: '[파도가 밀려온다. 느린 피아노 소리]' },
  { start: 3.8, end: 7, en: 'The harbour is an hour behind us now.', ko: '항구를 떠난 지 한 시간이 지났다.' },
  {
    start: 7.5,
    end: 10.6,
    en: 'There is one lamp on the boat,\nand one in the sky.',
    ko: '배 위에 등불 하나,\n하늘에 등불 하나.',
  },
  { start: 11, end: 14, en: 'My father steered by the moon.', ko: '아버지는 달을 보고 키를 잡으셨다.' },
  {
    start: 14.4,
    end: 17.6,
    en: '“Keep it on your left,” he said,\n“until you smell bread.”',
    ko: '“빵 냄새가 날 때까지\n달을 왼쪽에 두거라.” 하고 말씀하셨다.',
  },
  { start: 18, end: 20.8, en: 'So I keep it on my left.', ko: '그래서 나는 달을 왼쪽에 둔다.' },
  { start: 21.1, end: 23.5, en: '[The tide turns]', ko: '[물때가 바뀐다]' },
]
