import { PALETTES } from '../art/scenes/palettes.ts'
import { FILMS } from '../film/films.ts'
import type { MadeFile } from './made-file.ts'
import { PAGE, Sheet } from './sheet.ts'
import { zip } from './zip.ts'

const AUTHOR = 'Aurora Miniatures'
const wide = PAGE.width - PAGE.margin * 2

function programmeNote(): Buffer {
  const sheet = new Sheet('en', 'An evening of small films', AUTHOR)
  sheet.newPage('An evening of small films', 'Programme · five works · under three minutes in all')
  const works = [
    [
      'The Last Light',
      'Miren Oyarzun',
      'Evening climbs out of a valley, one ridge at a time. Three pigments, five planes, seven birds.',
    ],
    [
      'A Boat Under the Moon',
      'Jun Okabe',
      'Nine bands of water, each with its own time. They meet once, in the seventeenth second.',
    ],
    ['Blue Hour', 'Dario Venn', 'A city switches itself on. Every window was drawn with a reason.'],
    [
      'Festival of Small Fires',
      'Han Seo-yeon',
      'Sixty lanterns, drawn by the people of Hwangmae. The smallest is the slowest.',
    ],
    ['Eleven Years to Saturn', 'Noor Haidari', 'An arrival. Four deep chords and a bell.'],
  ] as const
  for (const [title, director, note] of works) {
    sheet.heading(`${title} – ${director}`)
    sheet.paragraph(note)
  }
  sheet.heading('How to show them')
  sheet.paragraph(
    'Show each film twice. The first time people look for a story; the second time they see the picture. Leave the light off in between, and let somebody say aloud what they noticed.',
  )
  sheet.lines(5)
  return sheet.close()
}

function scoreSheet(): Buffer {
  const sheet = new Sheet('en', 'Tide', AUTHOR)
  const chords = ['D', 'A/D', 'Bm7', 'Gmaj9', 'D', 'F#m', 'Em9', 'A7sus', 'D'] as const
  for (const [page, name] of ['Tide', 'Tide, continued'].entries()) {
    sheet.newPage(name, 'From A Boat Under the Moon · slow, like something that has all night')
    for (let system = 0; system < 5; system++) {
      const top = sheet.y + system * 118
      for (const staff of [0, 52]) for (let line = 0; line < 5; line++) sheet.rule(top + staff + line * 7, '#444444')
      for (let bar = 0; bar <= 4; bar++) {
        const x = PAGE.margin + (wide * bar) / 4
        sheet.pen.strokeStyle = '#444444'
        sheet.pen.beginPath()
        sheet.pen.moveTo(x, top)
        sheet.pen.lineTo(x, top + 80)
        sheet.pen.stroke()
        if (bar === 4) continue
        const at = (page * 20 + system * 4 + bar) % chords.length
        sheet.write('bold', chords[at] ?? 'D', x + 8, top - 8)
        for (let note = 0; note < 4; note++) {
          const height = top + 3.5 * (((at * 3 + note * 5 + system) % 8) + 1)
          const left = x + 20 + (note * wide) / 17
          sheet.pen.fillStyle = '#22201d'
          sheet.pen.beginPath()
          sheet.pen.ellipse(left, height, 4.2, 3.1, -0.35, 0, Math.PI * 2)
          sheet.pen.fill()
          sheet.pen.fillRect(left + 3.4, height - 23, 0.9, 23)
        }
        sheet.pen.beginPath()
        sheet.pen.ellipse(x + 22, top + 55 + 3.5 * (at % 6), 4.6, 3.2, -0.35, 0, Math.PI * 2)
        sheet.pen.stroke()
      }
    }
  }
  return sheet.close()
}

function palettes(): Buffer {
  const names = Object.entries(PALETTES)
  const gimp = names.map(([name, colours]) => ({
    name: `gpl/${name}.gpl`,
    body: [
      'GIMP Palette',
      `Name: Aurora ${name}`,
      'Columns: 6',
      ...Object.entries(colours).map(([role, hex]) => {
        const channels = [1, 3, 5].map((at) => String(Number.parseInt(hex.slice(at, at + 2), 16)).padStart(3))
        return `${channels.join(' ')}\t${role}`
      }),
      '',
    ].join('\n'),
  }))
  const css = names.map(([name, colours]) => {
    const rules = Object.entries(colours).map(([role, hex]) => `  --${name}-${role}: ${hex};`)
    return `/* ${name} */\n:root {\n${rules.join('\n')}\n}\n`
  })
  const readme = `Twenty palettes of six colours: ink, deep, mid, soft, accent, paper.\nUse them in anything you like.\n\n${names.map(([name]) => `- ${name}`).join('\n')}\n`
  return zip([{ name: 'read-me.txt', body: readme }, { name: 'palettes.css', body: css.join('\n') }, ...gimp])
}

function brushSheet(): Buffer {
  const sheet = new Sheet('en', 'Bamboo, from the ground up', AUTHOR)
  sheet.newPage('Bamboo, from the ground up', 'Practice sheet for The Empty Paper')
  const steps = [
    'Cane: push upwards',
    'Stop at every joint',
    'Branches leave the joints',
    'Leaf: press, glide, lift',
    'Three leaves, one breath',
    'Leave room',
  ] as const
  for (const [index, step] of steps.entries()) {
    const [x, y] = [PAGE.margin + (index % 2) * (wide / 2 + 6), sheet.y + Math.floor(index / 2) * 196]
    sheet.frame(x, y, wide / 2 - 6, 168)
    sheet.write('bold', `${index + 1}  ${step}`, x, y + 184)
    sheet.pen.strokeStyle = '#d9d2c4'
    sheet.pen.lineWidth = 14 - index
    sheet.pen.lineCap = 'round'
    for (let joint = 0; joint < 3; joint++) {
      sheet.pen.beginPath()
      sheet.pen.moveTo(x + 60 + index * 12, y + 150 - joint * 46)
      sheet.pen.lineTo(x + 60 + index * 12, y + 116 - joint * 46)
      sheet.pen.stroke()
    }
  }
  return sheet.close()
}

function colourWorkbook(): Buffer {
  const sheet = new Sheet('en', 'Colouring the dark', AUTHOR)
  const exercises = [
    [
      'Night is a colour',
      'Mix a dark without black: a deep blue and its opposite. Fill the frame with six steps from it to the white of the paper.',
    ],
    [
      'One lamp',
      'Put one bright spot into the frame and let everything else answer to it. Nothing may be brighter than the lamp.',
    ],
    [
      'Five planes',
      'Draw five ridges. The farthest is the lightest; each next one takes a third of the way to your darkest dark.',
    ],
    ['Windows', 'Forty rectangles. Colour eleven of them. Decide who lives in the twelfth.'],
    ['Water', 'A reflection is the lamp again, lower, broken and longer. Draw the lamp last.'],
    ['From memory', 'Look out of a window for twenty-four seconds. Turn round. Draw.'],
  ] as const
  for (let page = 0; page < exercises.length; page += 2) {
    sheet.newPage('Colouring the dark', 'A pencil, four colours, any paper')
    for (const [index, [title, task]] of exercises.slice(page, page + 2).entries()) {
      sheet.heading(`${page + index + 1}. ${title}`)
      sheet.paragraph(task)
      sheet.frame(PAGE.margin, sheet.y, wide, 210)
      sheet.y += 240
    }
  }
  return sheet.close()
}

function starSheet(): Buffer {
  const sheet = new Sheet('en', 'Star sheet', AUTHOR)
  sheet.newPage('Star sheet', 'No wrong colours')
  sheet.pen.strokeStyle = '#33302b'
  sheet.pen.lineWidth = 1.4
  const planets = [
    [150, 300, 62],
    [410, 250, 40],
    [330, 470, 92],
    [130, 560, 34],
    [470, 640, 56],
    [200, 690, 26],
  ] as const
  for (const [index, [x, y, size]] of planets.entries()) {
    sheet.pen.beginPath()
    sheet.pen.arc(x, y, size, 0, Math.PI * 2)
    sheet.pen.stroke()
    for (const ring of [1.35, 1.6, 1.85].slice(0, index % 4)) {
      sheet.pen.beginPath()
      sheet.pen.ellipse(x, y, size * ring, size * ring * 0.28, -0.3, 0, Math.PI * 2)
      sheet.pen.stroke()
    }
  }
  for (let star = 0; star < 26; star++) {
    const [x, y, size] = [70 + ((star * 197) % 460), 180 + ((star * 311) % 590), 4 + (star % 4)]
    sheet.pen.beginPath()
    for (let point = 0; point <= 10; point++) {
      const [angle, reach] = [(point * Math.PI) / 5, point % 2 ? size * 0.45 : size]
      sheet.pen.lineTo(x + Math.sin(angle) * reach, y - Math.cos(angle) * reach)
    }
    sheet.pen.stroke()
  }
  return sheet.close()
}

function almanac(): Buffer {
  const sheet = new Sheet('en', 'The Aurora Almanac', AUTHOR)
  const months = [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ] as const
  const sunsets = [
    '16.05',
    '16.55',
    '17.45',
    '19.35',
    '20.25',
    '21.10',
    '21.15',
    '20.30',
    '19.25',
    '18.15',
    '16.20',
    '15.50',
  ] as const
  const films = [
    'Sea for Sleeping',
    'Quiet Arithmetic',
    'Everyone Is Home',
    'Road Over the Pass',
    'Turning Tiles',
    'A Boat Under the Moon',
    'Festival of Small Fires',
    'Harbour Lights Out',
    'Ten Thousand Sunsets',
    'Copper Country',
    'Window 4B',
    'For Everyone We Miss',
  ] as const
  for (const [index, month] of months.entries()) {
    sheet.newPage(month, `Sunset on the 15th at 51° north: ${sunsets[index]} · film of the month: ${films[index]}`)
    sheet.heading('What I saw')
    sheet.frame(PAGE.margin, sheet.y, wide, 320)
    sheet.y += 336
    sheet.heading('And when')
    sheet.lines(7)
  }
  return sheet.close()
}

function storyboard(): Buffer {
  const sheet = new Sheet('en', 'Storyboards: The Last Light', AUTHOR)
  const notes = [
    'Black. Wait.',
    'Valley lit. Three pigments only.',
    'Sun lower than you think.',
    'First ridge lets go.',
    'slower. no. slower.',
    'Wind. Mine.',
    'Birds enter. Count them.',
    'Second ridge.',
    'Pines do not move!',
    'Third ridge. Plum.',
    'Only the rock is warm.',
    'Wind settles. Black.',
  ] as const
  for (const page of [0, 1]) {
    sheet.newPage('The Last Light', `Storyboard, sheet ${page + 1} of 2 · twenty-four seconds`)
    for (let index = 0; index < 6; index++) {
      const shot = page * 6 + index
      const [x, y, w] = [
        PAGE.margin + (index % 2) * (wide / 2 + 8),
        sheet.y + Math.floor(index / 2) * 190,
        wide / 2 - 8,
      ]
      sheet.frame(x, y, w, w * 0.5625)
      for (let ridge = 0; ridge < 4; ridge++) {
        sheet.pen.strokeStyle = `rgb(${150 - ridge * 30} ${145 - ridge * 30} ${138 - ridge * 28})`
        sheet.pen.beginPath()
        for (let step = 0; step <= 24; step++) {
          const high = Math.sin(step * 0.7 + ridge * 2 + shot * 0.2) * 7 + Math.sin(step * 1.9 + ridge) * 3
          sheet.pen.lineTo(x + (w * step) / 24, y + 58 + ridge * 19 - high)
        }
        sheet.pen.stroke()
      }
      sheet.pen.beginPath()
      sheet.pen.arc(x + w * 0.66, y + 30 + shot * 4, 12, 0, Math.PI * 2)
      sheet.pen.stroke()
      sheet.write('small', `${shot + 1} · ${shot * 2}.0 s`, x, y + w * 0.5625 + 14)
      sheet.write('bold', notes[shot] ?? '', x + 60, y + w * 0.5625 + 14)
    }
  }
  return sheet.close()
}

function cueSheets(): Buffer {
  const cues = FILMS.filter(({ id }) => id === 'orbit' || id === 'tide').map(({ id, title, cues: lines }) => ({
    name: `cues-${id}.txt`,
    body: `${title}\n\n${lines.map(({ start, end, en }) => `${start.toFixed(1).padStart(5)} – ${end.toFixed(1).padStart(5)}  ${en.replace('\n', ' ')}`).join('\n')}\n`,
  }))
  const chords = `Four deep chords\n\n1  E1 B1 E2 G#2   0.8 s   the approach\n2  C#1 G#1 E2 B2   6.0 s   the rings\n3  A0 E1 C#2 E2   12.0 s  the moons\n4  B0 F#1 D#2 A2  18.0 s  the message\n\nThe bell: one sine bending another at 3.51 times its pitch; the bending dies away in a third of a second, the tone in three.\n`
  return zip([{ name: 'chords.txt', body: chords }, ...cues])
}

function screeningKit(): Buffer {
  const order = `Running order\n\n19.30  Doors. Say three sentences: who you are, that the films are short, that each is shown twice.\n19.35  Paper Route (24 s), twice\n19.37  Nine Waves (24 s), twice. Count along.\n19.39  And So On (24 s), twice\n19.41  Talk. Somebody always has a map at home.\n19.55  Breathing Square (24 s), as often as needed\n20.00  For Everyone We Miss (24 s), once. Leave the light off for a while.\n`
  return zip([
    { name: 'running-order.txt', body: order },
    { name: 'programme.pdf', body: programmeNote() },
    { name: 'star-sheet.pdf', body: starSheet() },
  ])
}

function captionScript(): Buffer {
  const scripts = FILMS.slice(0, 6).map(({ title, cues }) => {
    const lines = cues.map(
      ({ start, en, ko }) =>
        `${start.toFixed(1).padStart(5)} s  ${en.replace('\n', ' ')}\n         ${ko.replace('\n', ' ')}`,
    )
    return `${title}\n${'='.repeat(title.length)}\n\n${lines.join('\n\n')}\n`
  })
  return Buffer.from(`Caption scripts, English and Korean\n\n\n${scripts.join('\n\n')}`)
}

export const ENGLISH_FILES = {
  'programme-note': { ending: 'pdf', make: programmeNote },
  'score-sheet': { ending: 'pdf', make: scoreSheet },
  palettes: { ending: 'zip', make: palettes },
  'brush-sheet': { ending: 'pdf', make: brushSheet },
  'colour-workbook': { ending: 'pdf', make: colourWorkbook },
  'star-sheet': { ending: 'pdf', make: starSheet },
  almanac: { ending: 'pdf', make: almanac },
  storyboard: { ending: 'pdf', make: storyboard },
  'cue-sheets': { ending: 'zip', make: cueSheets },
  'screening-kit': { ending: 'zip', make: screeningKit },
  'caption-script': { ending: 'txt', make: captionScript },
} as const satisfies Record<string, MadeFile>
