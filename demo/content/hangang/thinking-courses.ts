import type { DemoProduct } from '../model/types.ts'
import { course, lessons, offer } from './course.ts'

/** 데이터, 코딩, 한국사, 돈, 과학. */
export const THINKING_COURSES: readonly DemoProduct[] = [
  course({
    code: 'first-function',
    title: '첫 함수: 코딩이 처음인 사람을 위한 24초',
    summary: '점수 다섯 개의 평균을 구하면서 함수 하나를 완성합니다.',
    story: `코딩은 컴퓨터에게 심부름을 시키는 일입니다. 심부름에는 이름이 있고, 들려 보내는 것이 있고, 돌아올 때 가져오는 것이 있습니다. 그것이 함수입니다.

설치할 것은 없습니다. 영상을 보고, 실습 파일을 열고, 점수를 여러분의 것으로 바꾸어 실행해 보세요. 누구나 무료로 보실 수 있습니다.`,
    access: 'FREE',
    categories: ['first-code'],
    art: { scene: 'code', palette: 'cobalt', seed: 4, titleStyle: 'square', words: '첫 함수', line: '누구나 무료' },
    tags: ['코딩', '입문', '무료', '자바스크립트'],
    video: 'lesson-code',
    gallery: 3,
    hero: true,
    age: 8,
    charm: 97,
  }),
  course({
    code: 'coding-in-a-week',
    title: '일주일에 끝내는 코딩 첫걸음',
    summary: '변수, 조건, 반복, 함수. 네 단어로 시작하는 프로그래밍.',
    story: `외우지 않아도 되는 것은 외우지 않습니다. 네 가지 개념을 네 장면으로 기억하고, 실습 파일에서 직접 고쳐 보며 익힙니다.

- 변수는 이름표를 붙인 상자
- 조건은 갈림길
- 반복은 물결
- 함수는 심부름

하루 한 강의, 나흘이면 끝나고 사흘은 복습합니다. 실습 파일은 자바스크립트와 파이썬 두 가지로 드립니다.`,
    categories: ['first-code'],
    art: { scene: 'code', palette: 'neon', seed: 8, titleStyle: 'soft', words: '코딩\n첫걸음', line: '일주일 과정' },
    tags: ['코딩', '입문', '파이썬', '자바스크립트'],
    lessons: lessons(
      ['변수: 이름표를 붙인 상자', '타일마다 값이 하나씩 들어 있습니다.', 'bauhaus'],
      ['조건: 켜졌는가, 꺼졌는가', '창문으로 배우는 참과 거짓.', 'skyline'],
      ['반복: 물결은 세지 않아도 온다', '같은 일을 아홉 번 시키는 법.', 'tide'],
      ['함수: 심부름 시키기', '평균을 구하는 함수를 완성합니다.', 'lesson-code'],
    ),
    options: offer(39000, 52000),
    attachments: [{ file: 'code-practice', name: '코딩 첫걸음 실습 파일.zip' }],
    gallery: 3,
    age: 19,
    charm: 90,
  }),
  course({
    code: 'python-for-office',
    title: '칼퇴를 부르는 파이썬',
    summary: '반복되는 엑셀 업무를 파이썬에게 맡깁니다.',
    story: `매주 같은 파일을 열어 같은 열을 더하고 계신가요? 다섯 줄이면 됩니다. 이 강의는 문법을 가르치지 않고 심부름 목록을 가르칩니다.

실습 파일의 평균 구하기에서 시작해, 여러분의 업무 파일에 옮겨 적용하는 방법까지 안내합니다.`,
    categories: ['first-code', 'spreadsheet'],
    art: {
      scene: 'code',
      palette: 'forest',
      seed: 11,
      titleStyle: 'square',
      words: '칼퇴\n파이썬',
      line: '업무 자동화',
    },
    tags: ['파이썬', '직장인', '자동화'],
    lessons: lessons(
      ['심부름 목록 만들기', '반복되는 일을 찾아 이름을 붙입니다.', 'lesson-code'],
      ['표를 읽는 눈', '막대가 가리키는 것을 말로 옮깁니다.', 'lesson-chart'],
      ['규칙 찾기', '돌아가는 타일에서 규칙을 봅니다.', 'bauhaus'],
    ),
    options: offer(45000, 59000),
    attachments: [{ file: 'code-practice', name: '업무 자동화 실습.zip' }],
    age: 34,
    charm: 86,
  }),
  course({
    code: 'web-from-zero',
    title: '내 이름으로 만드는 첫 웹 페이지',
    summary: '제목 하나, 문단 하나, 링크 하나.',
    story: `웹 페이지는 생각보다 단순한 편지입니다. 제목과 문단과 링크, 세 가지만 알면 세상에 하나뿐인 주소를 가질 수 있습니다.

영상에서는 구조를 도형으로 보여 드리고, 실습에서는 여러분의 이름을 적습니다.`,
    categories: ['web'],
    art: { scene: 'window', palette: 'cobalt', seed: 10, titleStyle: 'soft', words: '첫\n웹 페이지', line: '웹 입문' },
    tags: ['웹', '코딩', '입문'],
    lessons: lessons(
      ['상자 안의 상자', '페이지는 네모로 이루어집니다.', 'bauhaus'],
      ['함수로 인사하기', '단추를 누르면 이름을 부릅니다.', 'lesson-code'],
    ),
    options: offer(27000),
    age: 48,
    charm: 68,
  }),
  course({
    code: 'layout-with-css',
    title: '그리드로 배우는 CSS',
    summary: '디자이너와 개발자가 같은 선을 보는 법.',
    story: `화면을 나누는 선은 종이에서나 웹에서나 같습니다. 열을 정하고, 간격을 정하고, 나머지는 브라우저에게 맡깁니다.

편집 그리드 강의를 들으셨다면 절반은 이미 아시는 내용입니다.`,
    categories: ['web', 'layout'],
    art: {
      scene: 'tiles',
      palette: 'glacier',
      seed: 13,
      titleStyle: 'square',
      words: '그리드로\n배우는 CSS',
      line: '웹 디자인',
    },
    tags: ['웹', 'CSS', '디자인'],
    video: 'bauhaus',
    options: offer(18000),
    attachments: [{ file: 'layout-grid', name: '그리드 연습지.pdf' }],
    age: 90,
    charm: 53,
  }),
  course({
    code: 'excel-that-talks',
    title: '데이터로 말하기: 엑셀에서 그래프까지',
    summary: '숫자를 모으고, 묶고, 그려서 한 문장으로 말합니다.',
    story: `보고서의 숫자가 읽히지 않는 것은 많아서가 아니라 묶이지 않아서입니다. 120줄짜리 매출표 하나로 피벗, 막대, 꺾은선까지 차근차근 해 봅니다.

마지막 과제는 그래프가 아니라 문장입니다. “그래서 무엇을 해야 하는가”를 한 줄로 적을 수 있으면 수료하신 것입니다.`,
    categories: ['spreadsheet'],
    art: {
      scene: 'chart',
      palette: 'mint',
      seed: 2,
      titleStyle: 'square',
      words: '데이터로\n말하기',
      line: '엑셀 · 시각화',
    },
    tags: ['엑셀', '데이터 분석', '직장인'],
    lessons: lessons(
      ['축을 읽는 법', '가로는 시간, 세로는 금액.', 'lesson-chart'],
      ['묶어서 보기', '같은 모양끼리 모읍니다.', 'bauhaus'],
      ['튀는 값 찾기', '어둠 속에서 혼자 밝은 창문.', 'skyline'],
      ['흐름 읽기', '물결은 높이보다 간격이 중요합니다.', 'tide'],
    ),
    options: offer(38000, 49000),
    attachments: [{ file: 'spreadsheet-practice', name: '매출 데이터 실습.zip' }],
    gallery: 3,
    hero: true,
    age: 5,
    charm: 95,
  }),
  course({
    code: 'pivot-in-ten-minutes',
    title: '피벗 테이블, 겁내지 않기',
    summary: '끌어다 놓기만 하면 되는데 왜 어려웠을까요?',
    story: `피벗 테이블은 서랍장입니다. 무엇을 서랍 이름으로 쓸지, 무엇을 넣을지, 넣은 것을 셀지 더할지만 정하면 됩니다.

실습 파일로 다섯 번만 끌어다 놓아 보세요. 여섯 번째부터는 손이 먼저 움직입니다.`,
    categories: ['spreadsheet'],
    art: {
      scene: 'tiles',
      palette: 'mint',
      seed: 17,
      titleStyle: 'soft',
      words: '피벗,\n겁내지 않기',
      line: '엑셀 기초',
    },
    tags: ['엑셀', '직장인', '입문'],
    video: 'bauhaus',
    options: offer(13000),
    attachments: [{ file: 'spreadsheet-practice', name: '피벗 실습.zip' }],
    age: 67,
    charm: 64,
  }),
  course({
    code: 'honest-charts',
    title: '속이지 않는 그래프',
    summary: '축 하나로 결론이 바뀝니다. 정직하게 그리는 다섯 가지 약속.',
    story: `세로축을 0에서 시작하지 않으면 2퍼센트의 차이가 두 배로 보입니다. 나쁜 의도가 없어도 우리는 매일 그런 그래프를 만듭니다.

뉴스와 보고서에서 골라 온 사례를 함께 고쳐 그립니다.`,
    categories: ['visualization'],
    art: {
      scene: 'chart',
      palette: 'noir',
      seed: 5,
      titleStyle: 'myeongjo',
      words: '속이지 않는\n그래프',
      line: '시각화 윤리',
    },
    tags: ['시각화', '데이터 분석', '교양'],
    video: 'lesson-chart',
    options: offer(17000),
    age: 42,
    charm: 63,
  }),
  course({
    code: 'draw-your-data',
    title: '손으로 그리는 데이터',
    summary: '일주일의 수면, 커피, 웃음을 한 장의 그림으로.',
    story: `데이터는 회사에만 있지 않습니다. 오늘 몇 번 웃었는지 세어 보고, 그것을 점과 선으로 그려 봅니다. 한 주가 지나면 나를 꼭 닮은 그래프가 생깁니다.

드로잉과 데이터가 만나는, 저희가 가장 아끼는 강의입니다.`,
    categories: ['visualization', 'pencil'],
    art: {
      scene: 'contours',
      palette: 'blossom',
      seed: 8,
      titleStyle: 'pen',
      words: '손으로 그리는\n데이터',
      line: '일상 시각화',
    },
    tags: ['시각화', '드로잉', '일상'],
    lessons: lessons(
      ['세어 보기', '새 일곱 마리를 놓치지 않고 셉니다.', 'ridgeline'],
      ['점으로 찍기', '등불 하나가 하루입니다.', 'lanterns'],
      ['선으로 잇기', '한 주의 높낮이를 그립니다.', 'lesson-chart'],
    ),
    options: offer(24000),
    age: 29,
    charm: 71,
  }),
  course({
    code: 'compound-interest',
    title: '복리의 그림: 기다림에도 값이 있다',
    summary: '단리와 복리의 차이를 막대와 곡선으로 봅니다.',
    story: `직선과 곡선이 같은 점에서 출발합니다. 몇 해 동안은 구별이 되지 않습니다. 그러다 어느 해부터 벌어지기 시작하고, 그다음부터는 눈을 뗄 수가 없습니다.

공식은 한 줄입니다. 잠시 멈추고 적어 보세요. 금융 상품을 권하지 않는 금융 강의입니다.`,
    access: 'FREE',
    categories: ['saving'],
    art: {
      scene: 'chart',
      palette: 'midnight',
      seed: 7,
      titleStyle: 'myeongjo',
      words: '복리의\n그림',
      line: '누구나 무료',
    },
    tags: ['재테크', '저축', '무료', '수학'],
    video: 'lesson-chart',
    age: 24,
    charm: 87,
  }),
  course({
    code: 'first-salary',
    title: '첫 월급 사용 설명서',
    summary: '나누고, 자동으로 옮기고, 잊어버리기.',
    story: `월급날 아침 10분이면 한 달이 정리됩니다. 생활비와 비상금과 미래를 세 통장으로 나누고, 나머지는 마음 편히 쓰는 방법을 안내합니다.

사회 초년생과 그 부모님께 권합니다.`,
    categories: ['saving'],
    art: {
      scene: 'arches',
      palette: 'citrus',
      seed: 5,
      titleStyle: 'soft',
      words: '첫 월급\n설명서',
      line: '생활 경제',
    },
    tags: ['재테크', '저축', '직장인'],
    lessons: lessons(
      ['나누기', '네모 셋으로 나누면 보입니다.', 'bauhaus'],
      ['옮기기', '물결처럼 다달이 같은 날에.', 'tide'],
      ['기다리기', '곡선이 휘어지는 순간까지.', 'lesson-chart'],
    ),
    options: offer(22000),
    age: 58,
    charm: 67,
  }),
  course({
    code: 'korean-history-in-night',
    title: '하룻밤에 걷는 한국사',
    summary: '고조선에서 민주화까지, 여섯 장면으로 잡는 큰 흐름.',
    story: `연도를 외우기 전에 장면을 먼저 기억합니다. 산성의 봉화, 바닷길의 돛배, 연등이 걸린 거리, 책을 찍던 판목, 불 켜진 도시. 여섯 장면을 순서대로 놓으면 뼈대가 섭니다.

연표에는 스물여섯 개의 사건이 적혀 있고, 옆은 비어 있습니다. 강의를 들으며 채워 보세요.`,
    categories: ['ancient', 'joseon', 'modern'],
    art: {
      scene: 'roofs',
      palette: 'hanji',
      seed: 4,
      titleStyle: 'myeongjo',
      words: '하룻밤에 걷는\n한국사',
      line: '여섯 장면',
    },
    tags: ['한국사', '교양', '입문'],
    lessons: lessons(
      ['산성과 봉화', '산줄기를 따라 나라가 나뉘었습니다.', 'ridgeline'],
      ['바닷길', '비단과 책과 사람이 배로 건너왔습니다.', 'tide'],
      ['연등의 거리', '고려의 밤은 밝았습니다.', 'lanterns'],
      ['붓과 기록', '조선은 기록의 나라였습니다.', 'lesson-brush'],
      ['별을 헤아린 사람들', '하늘을 재어 시간을 나누어 주었습니다.', 'orbit'],
      ['불 켜진 도시', '백 년 동안 밤이 달라졌습니다.', 'skyline'],
    ),
    options: offer(36000, 48000),
    attachments: [{ file: 'history-timeline', name: '한눈에 보는 한국사 연표.pdf' }],
    gallery: 3,
    hero: true,
    age: 11,
    charm: 93,
  }),
  course({
    code: 'three-kingdoms-map',
    title: '지도로 읽는 삼국 시대',
    summary: '산줄기와 강을 알면 전쟁의 이유가 보입니다.',
    story: `왜 하필 그 고개에서 싸웠을까요? 한강을 차지한 나라가 왜 강해졌을까요? 지형을 먼저 보면 삼국의 역사가 이야기처럼 이어집니다.

능선을 따라 걷듯이 영상을 보신 다음, 백지도에 세 나라의 경계를 그려 보세요.`,
    categories: ['ancient'],
    art: {
      scene: 'contours',
      palette: 'matcha',
      seed: 11,
      titleStyle: 'myeongjo',
      words: '지도로 읽는\n삼국 시대',
      line: '한국사 심화',
    },
    tags: ['한국사', '삼국 시대', '지도'],
    lessons: lessons(
      ['능선과 국경', '산은 가장 오래된 국경입니다.', 'ridgeline'],
      ['강과 바다', '물길을 가진 나라가 흥했습니다.', 'tide'],
    ),
    options: offer(23000),
    attachments: [{ file: 'history-timeline', name: '한국사 연표.pdf' }],
    age: 77,
    charm: 59,
  }),
  course({
    code: 'joseon-day',
    title: '조선 선비의 하루',
    summary: '새벽 붓글씨에서 밤의 등불까지.',
    story: `인시에 일어나 먹을 갈고, 낮에는 글을 짓고, 밤에는 등불 아래에서 편지를 썼습니다. 한 사람의 하루를 따라가다 보면 제도와 신분과 살림살이가 저절로 보입니다.

여러 문집과 일기에서 뽑은 구절을 자막으로 함께 읽습니다.`,
    categories: ['joseon'],
    art: {
      scene: 'roofs',
      palette: 'plum',
      seed: 7,
      titleStyle: 'inkBrush',
      words: '선비의\n하루',
      line: '조선 생활사',
    },
    tags: ['한국사', '조선', '생활사'],
    lessons: lessons(
      ['새벽, 먹을 갈다', '대나무 한 그루로 마음을 가다듬습니다.', 'lesson-brush'],
      ['저녁, 산을 보다', '해가 지는 쪽으로 마루가 나 있었습니다.', 'ridgeline'],
      ['밤, 등불을 켜다', '기름값이 곧 책값이었습니다.', 'lanterns'],
    ),
    options: offer(25000),
    age: 51,
    charm: 72,
  }),
  course({
    code: 'hangul-story',
    title: '훈민정음, 스물여덟 글자의 설계',
    summary: '세상에서 가장 잘 설명된 글자의 도면을 봅니다.',
    story: `점과 선과 네모와 동그라미. 훈민정음은 소리를 도형으로 옮긴 설계입니다. 혀의 모양이 자음이 되고 하늘과 땅과 사람이 모음이 된 과정을 도형의 움직임으로 보여 드립니다.

한글날에 아이와 함께 보시기를 권합니다.`,
    access: 'FREE',
    categories: ['joseon', 'typography'],
    art: {
      scene: 'letterHan',
      palette: 'primary',
      seed: 14,
      titleStyle: 'myeongjo',
      words: '스물여덟\n글자의 설계',
      line: '누구나 무료',
    },
    tags: ['한국사', '한글', '무료', '어린이'],
    video: 'bauhaus',
    age: 46,
    charm: 80,
  }),
  course({
    code: 'modern-seoul-nights',
    title: '서울의 밤 백 년',
    summary: '전등 하나에서 불 켜진 도시까지.',
    story: `1887년 경복궁에 처음 켜진 전등은 도깨비불이라고 불렸습니다. 그로부터 백 년 남짓, 밤이 밝아지면서 사람들의 일과 만남과 다툼이 어떻게 달라졌는지를 따라갑니다.

근현대사를 빛의 역사로 다시 읽는 강의입니다.`,
    categories: ['modern'],
    art: {
      scene: 'skyline',
      palette: 'ember',
      seed: 13,
      titleStyle: 'myeongjo',
      words: '서울의 밤\n백 년',
      line: '근현대사',
    },
    tags: ['한국사', '근현대사', '서울'],
    lessons: lessons(
      ['도깨비불', '등불의 밤과 전등의 밤.', 'lanterns'],
      ['전차와 극장', '저녁이라는 시간이 생겼습니다.', 'skyline'],
      ['통금이 있던 하늘', '어두운 도시에는 별이 많았습니다.', 'orbit'],
    ),
    options: offer(26000),
    age: 33,
    charm: 65,
  }),
  course({
    code: 'saturn-in-24-seconds',
    title: '토성까지 24초',
    summary: '고리는 왜 납작할까요? 위성은 무슨 일을 할까요?',
    story: `고리는 얼음입니다. 대부분은 눈덩이보다 크지 않습니다. 위성 세 개가 고리를 가지런히 붙들고 있고, 혜성은 그냥 지나갑니다.

초등학생도 이해할 수 있게, 어른도 지루하지 않게 만들었습니다. 누구나 무료로 보실 수 있습니다.`,
    access: 'FREE',
    categories: ['astronomy'],
    art: {
      scene: 'orbit',
      palette: 'midnight',
      seed: 10,
      titleStyle: 'square',
      words: '토성까지\n24초',
      line: '누구나 무료',
    },
    tags: ['과학', '천문', '무료', '어린이'],
    video: 'orbit',
    age: 22,
    charm: 85,
  }),
  course({
    code: 'night-sky-for-city',
    title: '도시에서 별 보는 법',
    summary: '불빛이 많은 곳에서도 볼 수 있는 별은 있습니다.',
    story: `달과 행성과 가장 밝은 별 몇 개. 도시의 하늘에도 이야기는 충분합니다. 옥상이나 베란다에서 맨눈으로 찾는 순서를 알려 드립니다.

계절마다 찾을 별 네 개, 한 해에 열여섯 개면 여러분은 동네에서 별을 가장 많이 아는 사람입니다.`,
    categories: ['astronomy'],
    art: {
      scene: 'lighthouse',
      palette: 'cobalt',
      seed: 14,
      titleStyle: 'soft',
      words: '도시에서\n별 보는 법',
      line: '맨눈 천문',
    },
    tags: ['과학', '천문', '취미'],
    lessons: lessons(
      ['불빛을 등지기', '어느 쪽 하늘이 어두운지부터 찾습니다.', 'skyline'],
      ['달부터 시작하기', '달이 물에 비치는 밤이 가장 좋습니다.', 'tide'],
      ['행성 알아보기', '반짝이지 않는 별을 찾으세요.', 'orbit'],
    ),
    options: offer(21000),
    age: 64,
    charm: 61,
  }),
]
