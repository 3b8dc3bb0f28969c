import type { DemoProduct } from '../model/types.ts'
import { course, lessons, offer } from './course.ts'

/** 주말에 가볍게 듣는 교양. */
export const WEEKEND_COURSES: readonly DemoProduct[] = [
  course({
    code: 'architecture-walk',
    title: '동네 건축 산책',
    summary: '아치와 계단, 창문을 읽으며 걷는 토요일 오후.',
    story: `매일 지나는 건물에도 설계한 사람의 마음이 남아 있습니다. 문은 왜 그 높이인지, 창은 왜 서쪽을 보는지. 보는 법을 알고 나면 출근길이 답사가 됩니다.

강의를 보신 뒤에는 집에서 가장 가까운 계단 하나를 찾아가 보세요.`,
    categories: ['layout', 'modern'],
    art: {
      scene: 'arches',
      palette: 'sahara',
      seed: 11,
      titleStyle: 'square',
      words: '동네\n건축 산책',
      line: '주말 교양',
    },
    tags: ['건축', '산책', '교양'],
    lessons: lessons(
      ['네모와 비례', '창문의 비례를 타일로 익힙니다.', 'bauhaus'],
      ['저녁의 입면', '불이 켜지면 평면이 보입니다.', 'skyline'],
    ),
    options: offer(18000),
    age: 60,
    charm: 55,
  }),
  course({
    code: 'reading-short-films',
    title: '짧은 영화 깊이 읽기',
    summary: '24초짜리 영화 네 편으로 배우는 영화 보는 눈.',
    story: `짧은 영화에는 숨을 곳이 없습니다. 색, 속도, 소리, 끝맺음을 한 편에 하나씩 골라 자세히 봅니다. 같은 장면을 네 번 보면 네 편의 영화가 됩니다.

감상문은 세 문장이면 됩니다.`,
    categories: ['shooting', 'essay'],
    art: {
      scene: 'cinema',
      palette: 'plum',
      seed: 8,
      titleStyle: 'myeongjo',
      words: '짧은 영화\n깊이 읽기',
      line: '영화 교양',
    },
    tags: ['영화', '감상', '교양'],
    lessons: lessons(
      ['색을 보다', '세 가지 물감으로 만든 노을.', 'ridgeline'],
      ['속도를 보다', '아홉 물결의 서로 다른 시간.', 'tide'],
      ['소리를 보다', '낮은 화음 넷과 종 하나.', 'orbit'],
      ['끝을 보다', '등불은 어디에서 사라지는가.', 'lanterns'],
    ),
    options: offer(24000, 30000),
    gallery: 3,
    age: 10,
    charm: 75,
  }),
  course({
    code: 'train-window-sketch',
    title: '기차 창가 스케치',
    summary: '움직이는 풍경을 붙잡는 세 가지 요령.',
    story: `가까운 것은 놓치고 먼 것을 잡습니다. 기차에서 그리는 그림은 기억력 연습이기도 합니다. 다음 여행 가방에 작은 수첩 하나를 넣어 두세요.`,
    categories: ['pencil', 'coloring'],
    art: {
      scene: 'window',
      palette: 'ember',
      seed: 13,
      titleStyle: 'pen',
      words: '기차 창가\n스케치',
      line: '여행 드로잉',
    },
    tags: ['드로잉', '여행', '취미'],
    video: 'ridgeline',
    options: offer(13000),
    age: 35,
    charm: 68,
  }),
  course({
    code: 'essay-by-the-sea',
    title: '바닷가 마을에서 쓰는 에세이',
    summary: '장소 하나를 세 번 쓰는 글쓰기.',
    story: `아침에 쓰고, 저녁에 쓰고, 떠나온 다음에 다시 씁니다. 장소는 그대로인데 글은 세 번 다 다릅니다. 그 차이가 바로 여러분의 문체입니다.

바다가 멀어도 괜찮습니다. 영상 속 등대가 기다리고 있습니다.`,
    categories: ['essay'],
    art: {
      scene: 'lighthouse',
      palette: 'harbor',
      seed: 17,
      titleStyle: 'myeongjo',
      words: '바닷가 마을\n에세이',
      line: '장소 글쓰기',
    },
    tags: ['글쓰기', '에세이', '바다'],
    video: 'tide',
    options: offer(15000),
    age: 71,
    charm: 51,
  }),
]
