import { HANGUL, LATIN, MONO } from './fonts.ts'
import { AVERAGE, COLORS, type Line, lettersTyped, PROGRAM, SCORES, typedAt } from './lesson-program.ts'
import { apart, clamp, ease, easeOut, fillCircle, fillFrame, fillRounded, linear, mix, progress } from './paint.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

const CLICK = 18.7
const WINDOW = { x: 70, y: 48, width: WIDTH - 140, height: HEIGHT - 96 }
const CODE = { x: 164, y: 144, line: 39, size: 24 }
const PANEL = { x: 836, y: 134, width: 350, height: 310 }
const RUN = { x: 1088, y: 62, width: 98, height: 36 }

/** A programming lesson: a function typed into an editor, run, and its result shown beside it. */
export const lessonCode: Scene = () => (context, seconds) => {
  desk(context)
  window(context, seconds)
  program(context, seconds)
  chart(context, seconds)
  terminal(context, seconds)
  pointer(context, seconds)
}

function desk(context: Context): void {
  fillFrame(context, linear(context, { x: 0, y: 0 }, { x: WIDTH, y: HEIGHT }, '#3a4a8f', '#5a6bb8', '#3d8f96'))
}

function window(context: Context, seconds: number): void {
  apart(context, () => {
    context.shadowColor = 'rgba(8,12,40,.5)'
    context.shadowBlur = 40
    context.shadowOffsetY = 16
    fillRounded(context, WINDOW, 14, '#0f1729')
  })
  context.fillStyle = '#182238'
  context.beginPath()
  context.roundRect(WINDOW.x, WINDOW.y, WINDOW.width, 62, [14, 14, 0, 0])
  context.fill()
  for (const [index, color] of ['#ff6159', '#ffbd2e', '#28c941'].entries())
    fillCircle(context, WINDOW.x + 30 + index * 26, WINDOW.y + 31, 8, color)
  fillRounded(context, { x: 178, y: 62, width: 190, height: 48 }, 10, '#0f1729')
  context.fillStyle = '#0f1729'
  context.fillRect(178, 96, 190, 14)
  fillRounded(context, { x: 196, y: 78, width: 18, height: 18 }, 4, '#f7df1e')
  context.fillStyle = '#d6deeb'
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.font = `17px "${LATIN}"`
  context.fillText('average.js', 226, 88)

  const pressed = progress(seconds, CLICK - 0.05, 0.12) - progress(seconds, CLICK + 0.12, 0.2)
  fillRounded(context, RUN, 9, pressed > 0.5 ? '#159970' : '#1fb587')
  context.fillStyle = '#fff'
  context.beginPath()
  context.moveTo(RUN.x + 20, RUN.y + 10)
  context.lineTo(RUN.x + 34, RUN.y + 18)
  context.lineTo(RUN.x + 20, RUN.y + 26)
  context.fill()
  context.font = `bold 17px "${LATIN}"`
  context.fillText('Run', RUN.x + 44, RUN.y + 19)
  context.fillStyle = '#1d2941'
  context.fillRect(806, 110, 2, WINDOW.y + WINDOW.height - 110)
}

function program(context: Context, seconds: number): void {
  const current = PROGRAM.findLastIndex((line) => line.at <= seconds)
  if (current >= 0) {
    context.fillStyle = '#172238'
    context.fillRect(WINDOW.x, CODE.y + (current - 0.5) * CODE.line, 806 - WINDOW.x, CODE.line)
  }
  context.textBaseline = 'middle'
  for (const [index, line] of PROGRAM.entries()) {
    const y = CODE.y + index * CODE.line
    context.font = `19px "${MONO}"`
    context.fillStyle = index === current ? '#8ea3c4' : '#3b4a66'
    context.textAlign = 'right'
    context.fillText(`${index + 1}`, CODE.x - 30, y)
    context.textAlign = 'left'
    const end = type(context, line, y, seconds)
    if (index === current && (seconds - line.at < 0.5 || Math.floor(seconds * 2) % 2 === 0) && seconds < CLICK) {
      context.fillStyle = '#ffcb6b'
      context.fillRect(end + 2, y - 14, 3, 28)
    }
  }
}

/** Writes as much of a line as is typed by now; gives the place of the cursor. */
function type(context: Context, line: Line, y: number, seconds: number): number {
  let left = lettersTyped(line, seconds)
  let x = CODE.x
  context.font = `${CODE.size}px "${MONO}"${HANGUL ? `, "${HANGUL}"` : ''}`
  for (const [text, kind] of line.tokens) {
    if (left <= 0) break
    const shown = text.slice(0, left)
    context.fillStyle = COLORS[kind]
    context.fillText(shown, x, y)
    x += context.measureText(shown).width
    left -= text.length
  }
  return x
}

function chart(context: Context, seconds: number): void {
  fillRounded(context, PANEL, 12, '#141f36')
  const floor = PANEL.y + PANEL.height - 46
  context.fillStyle = '#22304d'
  context.fillRect(PANEL.x + 28, floor, PANEL.width - 56, 3)
  const scale = (score: number) => (score - 55) * 5.2
  for (const [index, score] of SCORES.entries()) {
    const grown = easeOut(progress(seconds, typedAt(index), 0.7))
    if (grown <= 0) continue
    const x = PANEL.x + 42 + index * 56
    const tall = scale(score) * grown
    const visited =
      clamp(1 - Math.abs(seconds - (11.7 + index * 0.32)) / 0.3) +
      clamp(1 - Math.abs(seconds - (CLICK + 0.25 + index * 0.16)) / 0.2)
    context.fillStyle = visited > 0.02 ? blend(visited) : '#5a86e8'
    context.beginPath()
    context.roundRect(x, floor - tall, 40, tall, [7, 7, 0, 0])
    context.fill()
    context.globalAlpha = grown
    context.fillStyle = '#9fb2d3'
    context.font = `16px "${LATIN}"`
    context.textAlign = 'center'
    context.fillText(`${score}`, x + 20, floor + 22)
    context.globalAlpha = 1
  }
  const drawn = ease(progress(seconds, CLICK + 1.2, 0.9))
  if (drawn > 0) {
    const y = floor - scale(AVERAGE)
    context.strokeStyle = '#ffcb6b'
    context.lineWidth = 4
    context.lineCap = 'round'
    context.setLineDash([12, 9])
    context.beginPath()
    context.moveTo(PANEL.x + 26, y)
    context.lineTo(mix(PANEL.x + 26, PANEL.x + PANEL.width - 26, drawn), y)
    context.stroke()
    context.setLineDash([])
  }
  context.textAlign = 'left'
}

/** From the colour of a bar to the colour of one being counted. */
function blend(share: number): string {
  const at = (from: number, to: number) => Math.round(mix(from, to, clamp(share)))
  return `rgb(${at(90, 255)},${at(134, 203)},${at(232, 107)})`
}

function terminal(context: Context, seconds: number): void {
  const box = { x: PANEL.x, y: 462, width: PANEL.width, height: 186 }
  fillRounded(context, box, 12, '#0a1120')
  context.font = `18px "${MONO}"`
  context.textBaseline = 'middle'
  context.fillStyle = '#4f6488'
  context.fillText('>', box.x + 24, box.y + 34)
  if (seconds > CLICK + 0.1) {
    context.fillStyle = '#9fb2d3'
    context.fillText('node average.js', box.x + 46, box.y + 34)
  }
  const shown = easeOut(progress(seconds, CLICK + 1.1, 0.4))
  if (shown > 0) {
    context.globalAlpha = shown
    context.fillStyle = '#ffcb6b'
    context.font = `bold 64px "${MONO}"`
    context.fillText(AVERAGE.toFixed(1), box.x + 24, mix(box.y + 124, box.y + 110, shown))
    context.globalAlpha = 1
  }
}

function pointer(context: Context, seconds: number): void {
  const share = ease(progress(seconds, 17.7, 0.9))
  const away = ease(progress(seconds, 19.4, 1.2))
  if (share <= 0) return
  const target = { x: RUN.x + 60, y: RUN.y + 24 }
  const x = mix(mix(940, target.x, share), 1120, away)
  const y = mix(mix(690, target.y, share), 610, away)
  const ripple = progress(seconds, CLICK, 0.5)
  if (ripple > 0 && ripple < 1) {
    context.strokeStyle = `rgba(255,255,255,${0.7 * (1 - ripple)})`
    context.lineWidth = 3
    context.beginPath()
    context.arc(target.x, target.y, 8 + 30 * ripple, 0, Math.PI * 2)
    context.stroke()
  }
  apart(context, () => {
    context.translate(x, y)
    context.fillStyle = '#fff'
    context.strokeStyle = '#0a1120'
    context.lineWidth = 2
    context.lineJoin = 'round'
    context.beginPath()
    for (const [dx, dy] of [
      [0, 0],
      [0, 25],
      [6, 20],
      [10, 30],
      [15, 28],
      [11, 18],
      [19, 18],
    ] as const)
      context.lineTo(dx, dy)
    context.closePath()
    context.fill()
    context.stroke()
  })
}
