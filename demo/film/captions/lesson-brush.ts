import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.8, end: 3.6, en: '[A zither, unhurried]', ko: '[서두르지 않는 거문고 소리]' },
  {
    start: 4,
    end: 7,
    en: 'Bamboo is painted as it grows: from the ground up.',
    ko: '대나무는 자라는 대로, 아래에서 위로 그립니다.',
  },
  {
    start: 7.4,
    end: 10.4,
    en: 'Stop at every joint.\nLift the brush, then go on.',
    ko: '마디마다 멈추세요.\n붓을 들었다가 다시 나아갑니다.',
  },
  { start: 10.8, end: 13.4, en: 'Thin branches leave from the joints.', ko: '가는 가지는 마디에서 뻗어 나옵니다.' },
  {
    start: 13.8,
    end: 17,
    en: 'For a leaf: press, glide,\nand let the tip run dry.',
    ko: '잎은 누르고, 미끄러뜨리고,\n붓끝이 마르도록 둡니다.',
  },
  {
    start: 17.4,
    end: 20.4,
    en: 'Leave room. The empty paper is part of it.',
    ko: '비워 두세요. 여백도 그림의 일부입니다.',
  },
  { start: 20.8, end: 23.4, en: 'Last of all, your seal.', ko: '마지막으로 낙관을 찍습니다.' },
]
