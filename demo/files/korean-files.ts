import type { MadeFile } from './made-file.ts'
import { PAGE, Sheet } from './sheet.ts'
import { zip } from './zip.ts'

const AUTHOR = '한강 아카데미'
const wide = PAGE.width - PAGE.margin * 2

/** A workbook: numbered tasks, each with room to draw or lines to write on. */
function workbook(
  title: string,
  subtitle: string,
  tasks: readonly (readonly [name: string, task: string])[],
  room: 'frame' | 'lines',
): Buffer {
  const sheet = new Sheet('ko', title, AUTHOR)
  for (let page = 0; page < tasks.length; page += 2) {
    sheet.newPage(title, subtitle)
    for (const [index, [name, task]] of tasks.slice(page, page + 2).entries()) {
      sheet.heading(`${page + index + 1}. ${name}`)
      sheet.paragraph(task)
      if (room === 'lines') sheet.lines(8)
      else {
        sheet.frame(PAGE.margin, sheet.y, wide, 200)
        sheet.y += 230
      }
    }
  }
  return sheet.close()
}

const drawingWorkbook = () =>
  workbook(
    '하루 한 장 드로잉',
    '연필 한 자루와 24초면 충분합니다',
    [
      ['선 긋기', '왼쪽 끝에서 오른쪽 끝까지, 숨을 내쉬는 동안 한 줄을 긋습니다. 열 줄을 채워 보세요.'],
      ['멈췄다 가기', '대나무 마디처럼 세 번 멈추었다가 다시 나아갑니다. 멈춘 자리가 진해져도 괜찮습니다.'],
      ['잎 하나', '누르고, 미끄러뜨리고, 들어 올립니다. 같은 잎을 여덟 번 그려 보세요.'],
      ['여백', '칸의 삼분의 일만 그립니다. 나머지는 비워 둔 채로 완성이라고 말해 보세요.'],
      ['눈을 떼지 않고', '컵을 보면서, 종이를 보지 않고 윤곽을 따라 그립니다.'],
      ['오늘의 창밖', '창밖을 24초 동안 바라본 뒤 돌아앉아 기억으로 그립니다.'],
    ],
    'frame',
  )

const writingSheet = () =>
  workbook(
    '열 문장 글쓰기 노트',
    '하루에 열 문장, 두 주 동안',
    [
      ['첫 문장', '오늘 본 것 하나를 형용사 없이 한 문장으로 적습니다.'],
      ['소리', '지금 들리는 소리 세 가지를 적고, 그 가운데 하나를 두 문장으로 늘려 보세요.'],
      ['대화', '오늘 들은 말 한마디를 그대로 옮겨 적습니다. 설명은 붙이지 않습니다.'],
      ['덜어내기', '어제 쓴 문장에서 열 글자를 지웁니다. 뜻이 남는지 소리 내어 읽어 보세요.'],
      ['시간', '같은 장소의 아침과 저녁을 세 문장씩 씁니다.'],
      ['편지', '받는 사람을 정하고 다섯 문장을 씁니다. 부치지 않아도 됩니다.'],
    ],
    'lines',
  )

const recipeCards = () =>
  workbook(
    '국물의 기본 레시피 카드',
    '4인분 기준 · 잘라서 냉장고에 붙여 두세요',
    [
      [
        '멸치 다시마 육수',
        '물 1.5L, 국물용 멸치 15마리, 다시마 10×10cm 한 장. 멸치는 내장을 떼어 마른 팬에 1분 볶습니다. 찬물에 함께 넣고 끓기 직전에 다시마를 건지고, 약불로 10분 더 끓여 거릅니다.',
      ],
      [
        '콩나물국',
        '육수 1.2L, 콩나물 300g, 대파 반 대, 다진 마늘 1작은술, 소금. 콩나물을 넣고 뚜껑을 처음부터 열어 둔 채 5분간 끓인 뒤 소금으로 간합니다.',
      ],
      [
        '된장찌개',
        '육수 600ml, 된장 2큰술, 애호박 반 개, 두부 반 모, 양파 반 개. 된장을 풀어 5분, 채소를 넣고 5분, 두부를 넣고 2분 끓입니다.',
      ],
      [
        '떡국',
        '사골 또는 멸치 육수 1.2L, 떡국떡 500g, 달걀 2개, 국간장 1큰술. 떡은 찬물에 20분 불리고, 떠오르면 2분 뒤 불을 끕니다.',
      ],
    ],
    'lines',
  )

const layoutGrid = () => {
  const sheet = new Sheet('ko', '그리드 연습지', AUTHOR)
  for (const columns of [2, 3, 4, 6]) {
    sheet.newPage(`${columns}단 그리드`, '같은 내용을 서로 다른 그리드에 앉혀 보세요')
    const gap = 12
    const column = (wide - gap * (columns - 1)) / columns
    for (let index = 0; index < columns; index++)
      sheet.frame(PAGE.margin + index * (column + gap), sheet.y, column, 560)
    for (let row = 1; row < 8; row++) sheet.rule(sheet.y + row * 70, '#ddd6c8')
  }
  return sheet.close()
}

const historyTimeline = () => {
  const sheet = new Sheet('ko', '한눈에 보는 한국사 연표', AUTHOR)
  const events = [
    ['기원전 108', '고조선 멸망, 한의 군현 설치'],
    ['372', '고구려, 불교 수용과 태학 설립'],
    ['433', '나제 동맹'],
    ['660', '백제 멸망'],
    ['668', '고구려 멸망'],
    ['676', '신라, 삼국 통일'],
    ['698', '발해 건국'],
    ['918', '왕건, 고려 건국'],
    ['936', '고려, 후삼국 통일'],
    ['1019', '귀주 대첩'],
    ['1236', '팔만대장경 조판 시작'],
    ['1377', '《직지심체요절》 간행'],
    ['1392', '조선 건국'],
    ['1443', '훈민정음 창제'],
    ['1592', '임진왜란'],
    ['1636', '병자호란'],
    ['1796', '수원 화성 완공'],
    ['1876', '강화도 조약'],
    ['1894', '동학 농민 운동, 갑오개혁'],
    ['1897', '대한 제국 선포'],
    ['1919', '3·1 운동, 대한민국 임시 정부 수립'],
    ['1945', '광복'],
    ['1948', '대한민국 정부 수립'],
    ['1950', '6·25 전쟁'],
    ['1960', '4·19 혁명'],
    ['1987', '6월 민주 항쟁'],
  ] as const
  sheet.newPage('한눈에 보는 한국사 연표', '강의를 들으며 빈칸에 메모하세요')
  for (const [year, event] of events) {
    sheet.write('bold', year, PAGE.margin, sheet.y)
    sheet.write('text', event, PAGE.margin + 84, sheet.y)
    sheet.rule(sheet.y + 8, '#ddd6c8')
    sheet.y += 24
  }
  return sheet.close()
}

const spreadsheetPractice = () => {
  const products = ['연필', '노트', '물감', '붓', '스케치북'] as const
  const rows = Array.from({ length: 120 }, (_, index) => {
    const [month, day] = [(index % 12) + 1, ((index * 7) % 28) + 1]
    const count = ((index * 37) % 23) + 1
    const price = [500, 2500, 12000, 4800, 8900][index % 5] ?? 0
    return `2025-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')},${products[index % 5]},${count},${price},${count * price}`
  })
  const tasks = `실습 과제\n\n1. 합계 열이 수량×단가와 같은지 확인하는 식을 만드세요.\n2. 월별 매출을 피벗 테이블로 요약하세요.\n3. 매출이 가장 큰 상품과 가장 많이 팔린 상품은 같은가요?\n4. 꺾은선과 막대 가운데 무엇이 더 알맞은지 이유를 한 문장으로 적으세요.\n5. 이자율 4%로 10년간 저축할 때 단리와 복리의 차이를 표로 만드세요.\n`
  return zip([
    { name: '실습/매출.csv', body: `\uFEFF날짜,상품,수량,단가,합계\n${rows.join('\n')}\n` },
    { name: '실습/과제.txt', body: tasks },
  ])
}

const codePractice = () =>
  zip([
    {
      name: '실습/평균.js',
      body: `// 시험 점수 다섯 개의 평균을 구합니다.\nfunction average(scores) {\n  let sum = 0\n  for (const score of scores) sum += score\n  return sum / scores.length\n}\n\nconsole.log(average([92, 78, 85, 96, 82])) // 86.6\n`,
    },
    {
      name: '실습/평균.py',
      body: `# 시험 점수 다섯 개의 평균을 구합니다.\ndef average(scores):\n    total = 0\n    for score in scores:\n        total += score\n    return total / len(scores)\n\n\nprint(average([92, 78, 85, 96, 82]))  # 86.6\n`,
    },
    {
      name: '실습/과제.txt',
      body: `1. 점수가 하나도 없을 때 어떤 일이 일어나는지 확인하고, 0을 돌려주도록 고치세요.\n2. 가장 높은 점수와 가장 낮은 점수를 뺀 평균을 구하는 함수를 만드세요.\n3. 자신의 점수로 실행해 보세요.\n`,
    },
  ])

const courseCalendar = () => {
  const sheet = new Sheet('ko', '겨울 학기 학습 달력', AUTHOR)
  for (const [month, first, days] of [
    ['12월', 2, 31],
    ['1월', 5, 31],
  ] as const) {
    sheet.newPage(`${month} 학습 달력`, '하루 24초, 본 날에는 동그라미를 그려 주세요')
    for (const [index, name] of ['일', '월', '화', '수', '목', '금', '토'].entries())
      sheet.write('bold', name, PAGE.margin + (index * wide) / 7 + 6, sheet.y)
    for (let day = 1; day <= days; day++) {
      const cell = day + first - 1
      const [x, y] = [PAGE.margin + ((cell % 7) * wide) / 7, sheet.y + 14 + Math.floor(cell / 7) * 84]
      sheet.frame(x, y, wide / 7, 84)
      sheet.write('small', `${day}`, x + 6, y + 14)
    }
  }
  return sheet.close()
}

export const KOREAN_FILES = {
  'drawing-workbook': { ending: 'pdf', make: drawingWorkbook },
  'writing-sheet': { ending: 'pdf', make: writingSheet },
  'recipe-cards': { ending: 'pdf', make: recipeCards },
  'layout-grid': { ending: 'pdf', make: layoutGrid },
  'history-timeline': { ending: 'pdf', make: historyTimeline },
  'spreadsheet-practice': { ending: 'zip', make: spreadsheetPractice },
  'code-practice': { ending: 'zip', make: codePractice },
  'course-calendar': { ending: 'pdf', make: courseCalendar },
} as const satisfies Record<string, MadeFile>
