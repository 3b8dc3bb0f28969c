import type { Cue } from './captions.ts'

export const cues: readonly Cue[] = [
  { start: 0.5, end: 3, en: '[City hum, a steady beat]', ko: '[도시의 웅성거림, 일정한 박자]' },
  {
    start: 3.3,
    end: 6.2,
    en: 'Seven o’clock. The windows come on\none by one.',
    ko: '저녁 일곱 시. 창문이\n하나둘 켜진다.',
  },
  {
    start: 6.6,
    end: 9.6,
    en: 'Someone is cooking. Someone is late again.',
    ko: '누군가는 저녁을 짓고, 누군가는 또 늦는다.',
  },
  {
    start: 10,
    end: 13,
    en: 'From the train they all look the same size.',
    ko: '기차에서 보면 모두 같은 크기로 보인다.',
  },
  {
    start: 13.4,
    end: 16.6,
    en: 'Up there, a flight full of people\nis counting our lights.',
    ko: '저 위, 비행기를 가득 채운 사람들이\n우리의 불빛을 세고 있다.',
  },
  { start: 17, end: 20, en: 'Next stop: River Street.', ko: '다음 역은 강변역입니다.' },
  { start: 20.5, end: 23.3, en: '[Music fades with the evening]', ko: '[저녁과 함께 음악이 잦아든다]' },
]
