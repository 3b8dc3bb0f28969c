import type { DemoBanner, DemoCategory } from '../model/types.ts'

export const HANGANG_CATEGORIES: readonly DemoCategory[] = [
  {
    slug: 'creative',
    name: '창작',
    children: [
      {
        slug: 'drawing',
        name: '드로잉·회화',
        children: [
          { slug: 'pencil', name: '연필 드로잉' },
          { slug: 'ink', name: '수묵·붓' },
          { slug: 'coloring', name: '색연필·수채' },
        ],
      },
      {
        slug: 'design',
        name: '디자인',
        children: [
          { slug: 'layout', name: '편집·그리드' },
          { slug: 'typography', name: '타이포그래피' },
          { slug: 'colour', name: '색채' },
        ],
      },
      {
        slug: 'film',
        name: '영상',
        children: [
          { slug: 'shooting', name: '촬영·감상' },
          { slug: 'editing', name: '편집·사운드' },
        ],
      },
      {
        slug: 'writing',
        name: '글쓰기',
        children: [
          { slug: 'essay', name: '에세이' },
          { slug: 'practical-writing', name: '실용 글쓰기' },
        ],
      },
    ],
  },
  {
    slug: 'data-code',
    name: '데이터·코딩',
    children: [
      {
        slug: 'data',
        name: '데이터 분석',
        children: [
          { slug: 'spreadsheet', name: '엑셀·스프레드시트' },
          { slug: 'visualization', name: '시각화' },
        ],
      },
      {
        slug: 'coding',
        name: '코딩',
        children: [
          { slug: 'first-code', name: '첫 코딩' },
          { slug: 'web', name: '웹' },
        ],
      },
    ],
  },
  {
    slug: 'culture',
    name: '교양',
    children: [
      {
        slug: 'history',
        name: '한국사',
        children: [
          { slug: 'ancient', name: '고대·고려' },
          { slug: 'joseon', name: '조선' },
          { slug: 'modern', name: '근현대' },
        ],
      },
      { slug: 'economy', name: '생활 경제', children: [{ slug: 'saving', name: '저축과 이자' }] },
      { slug: 'science', name: '과학', children: [{ slug: 'astronomy', name: '천문' }] },
    ],
  },
  {
    slug: 'living',
    name: '생활',
    children: [
      {
        slug: 'cooking',
        name: '요리',
        children: [
          { slug: 'soup', name: '국·찌개' },
          { slug: 'side-dish', name: '반찬·상차림' },
        ],
      },
      {
        slug: 'rest',
        name: '쉼',
        children: [
          { slug: 'mind', name: '명상·호흡' },
          { slug: 'sleep', name: '수면' },
        ],
      },
    ],
  },
  {
    slug: 'library',
    name: '자료실',
    children: [
      {
        slug: 'materials',
        name: '학습 자료',
        children: [
          { slug: 'workbook', name: '워크북' },
          { slug: 'free-material', name: '무료 자료' },
        ],
      },
    ],
  },
]

export const HANGANG_BANNERS: readonly DemoBanner[] = [
  {
    type: 'HEADER_BANNER',
    title: '겨울 학기 시작!',
    text: '네 과목 맛보기를 절반 값에 만나 보세요.',
    label: '자세히 보기',
    link: { product: 'all-round-beginner' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: '처음 긋는 선',
    text: '연필 한 자루와 하루 10분. 닷새 뒤에는 창밖 풍경 한 장이 완성됩니다.',
    label: '첫 강의 무료로 보기',
    art: { scene: 'ridges', palette: 'matcha', seed: 204 },
    tone: 'LIGHT',
    link: { product: 'first-line-drawing' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: '데이터로 말하기',
    text: '숫자를 묶고, 그리고, 한 문장으로 말하는 법. 실습 파일을 함께 드립니다.',
    label: '강의 살펴보기',
    art: { scene: 'tiles', palette: 'cobalt', seed: 205 },
    tone: 'LIGHT',
    link: { product: 'excel-that-talks' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: '하룻밤에 걷는 한국사',
    text: '산성과 봉화에서 불 켜진 도시까지, 여섯 장면으로 잡는 큰 흐름.',
    label: '한국사 보러 가기',
    art: { scene: 'roofs', palette: 'hanji', seed: 206 },
    tone: 'DARK',
    link: { category: 'history' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: '오늘 저녁, 국물의 기본',
    text: '멸치 육수 하나로 네 가지 국물을. 레시피 카드는 냉장고에 붙여 두세요.',
    label: '요리 클래스',
    art: { scene: 'bowl', palette: 'peach', seed: 207 },
    tone: 'DARK',
    link: { category: 'cooking' },
  },
  {
    type: 'GRID',
    title: '왕초보 환영',
    text: '첫 코딩, 24초면 됩니다.',
    label: '보러 가기',
    art: { scene: 'code', palette: 'cobalt', seed: 210 },
    tone: 'LIGHT',
    link: { category: 'coding' },
  },
  {
    type: 'GRID',
    title: '드로잉 클래스',
    text: '지우개는 두고 오세요.',
    label: '보러 가기',
    art: { scene: 'botanical', palette: 'forest', seed: 212 },
    tone: 'LIGHT',
    link: { category: 'drawing' },
  },
  {
    type: 'GRID',
    title: '잠 못 드는 밤',
    text: '열 번의 물결과 함께.',
    label: '보러 가기',
    art: { scene: 'waves', palette: 'midnight', seed: 213 },
    tone: 'LIGHT',
    link: { category: 'rest' },
  },
  {
    type: 'GRID',
    title: '무료 자료실',
    text: '학습 달력과 실습 파일.',
    label: '보러 가기',
    art: { scene: 'paperCut', palette: 'tidepool', seed: 214 },
    tone: 'LIGHT',
    link: { category: 'free-material' },
  },
  {
    type: 'BANNER',
    title: '팀이라면 모든 실무 강의를 마음껏',
    text: '다섯 명까지 함께 배우는 팀 이용권을 만나 보세요.',
    label: '팀 이용권 보기',
    art: { scene: 'skyline', palette: 'glacier', seed: 220 },
    tone: 'LIGHT',
    link: { plan: 'hangang-team' },
  },
  {
    type: 'CUSTOM',
    title: '왜 24초인가요?',
    text: '',
    prose: `## 왜 24초인가요?

오래 앉아 있어야 배우는 것은 아닙니다. 한강 아카데미의 모든 강의는 **24초 장면 하나**와 **워크북 과제 하나**로 이루어져 있습니다. 두 번 보고, 5분 동안 손을 움직이면 오늘 몫은 끝입니다.

강의 시간은 표시된 그대로이며, 여러 강의로 이루어진 과정은 모두 더한 시간입니다. [한강 아카데미 소개](/pages/about)에서 더 읽어 보세요.`,
  },
]
