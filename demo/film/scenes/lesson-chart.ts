import { HANGUL_BY_HAND, LATIN, LATIN_SERIF } from './fonts.ts'
import { apart, clamp, ease, easeOut, fillRounded, mix, type Point, progress, vertical } from './paint.ts'
import type { Context, Scene } from './scene.ts'
import { marker, whiteboard } from './whiteboard.ts'

const INK = '#22304a'
const QUIET = '#8492a8'
const BAR = '#5b8def'
const SIMPLE = '#f08a4b'
const COMPOUND = '#14a38b'

const ORIGIN: Point = { x: 176, y: 556 }
const AXIS = { right: 850, top: 176 }
const YEARS = 10
const RATE = 0.12
const STEP = (AXIS.right - ORIGIN.x - 40) / YEARS

/**
 * A lesson at the whiteboard: a chart of savings with simple and with compound interest, drawn by
 * hand.
 */
export const lessonChart: Scene = () => (context, seconds) => {
  whiteboard(context, [BAR, SIMPLE, COMPOUND])
  heading(context, seconds)
  axes(context, seconds)
  gap(context, seconds)
  bars(context, seconds)
  const simple = curve((year) => 1 + RATE * year)
  const compound = curve((year) => (1 + RATE) ** year)
  const pens = [
    stroke(context, simple, progress(seconds, 10.6, 2.4), SIMPLE, [14, 10]),
    stroke(context, compound, progress(seconds, 14.2, 2.8), COMPOUND, []),
  ]
  legend(context, seconds)
  formula(context, seconds)
  const tip = penPosition(seconds, pens)
  if (tip) marker(context, tip, seconds < 10 ? INK : seconds < 14 ? SIMPLE : COMPOUND)
}

function heading(context: Context, seconds: number): void {
  const shown = ease(progress(seconds, 0.3, 0.9))
  apart(context, () => {
    context.globalAlpha = shown
    context.translate(0, mix(10, 0, shown))
    fillRounded(context, { x: 112, y: 84, width: 8, height: 46 }, 4, COMPOUND)
    context.fillStyle = INK
    context.textBaseline = 'middle'
    if (HANGUL_BY_HAND) {
      context.font = `58px "${HANGUL_BY_HAND}"`
      context.fillText('복리의 힘', 138, 108)
    } else fillRounded(context, { x: 138, y: 92, width: 190, height: 28 }, 8, INK)
  })
}

function axes(context: Context, seconds: number): void {
  context.strokeStyle = '#e3e9f1'
  context.lineWidth = 2
  for (let line = 1; line <= 3; line++) {
    const y = ORIGIN.y - line * 100
    context.beginPath()
    context.moveTo(ORIGIN.x, y)
    context.lineTo(mix(ORIGIN.x, AXIS.right, ease(progress(seconds, 3.6 + line * 0.2, 1))), y)
    context.stroke()
  }
  arrow(context, ORIGIN, { x: AXIS.right + 20, y: ORIGIN.y }, ease(progress(seconds, 2.2, 1.1)))
  arrow(context, ORIGIN, { x: ORIGIN.x, y: AXIS.top - 14 }, ease(progress(seconds, 3.3, 1)))
  context.fillStyle = QUIET
  context.font = `18px "${LATIN}"`
  context.textAlign = 'center'
  context.textBaseline = 'top'
  for (let year = 1; year <= YEARS; year++) {
    context.globalAlpha = progress(seconds, 4 + year * 0.14, 0.4)
    context.fillText(`${year}`, place(year).x, ORIGIN.y + 12)
  }
  context.globalAlpha = 1
  context.textAlign = 'left'
}

function arrow(context: Context, from: Point, to: Point, share: number): void {
  if (share <= 0) return
  const tip = { x: mix(from.x, to.x, share), y: mix(from.y, to.y, share) }
  const angle = Math.atan2(to.y - from.y, to.x - from.x)
  context.strokeStyle = INK
  context.lineWidth = 4.5
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.beginPath()
  context.moveTo(from.x, from.y)
  context.lineTo(tip.x, tip.y)
  for (const side of [-1, 1]) {
    context.moveTo(tip.x, tip.y)
    context.lineTo(tip.x - 14 * Math.cos(angle + side * 0.5), tip.y - 14 * Math.sin(angle + side * 0.5))
  }
  context.stroke()
}

/** Where a balance stands on the board: the savings begin at 1. */
function place(year: number, balance = 0): Point {
  return { x: ORIGIN.x + 22 + (year - 0.5) * STEP, y: ORIGIN.y - balance * 112 }
}

function bars(context: Context, seconds: number): void {
  for (let year = 1; year <= YEARS; year++) {
    const share = easeOut(progress(seconds, 6.2 + (year - 1) * 0.36, 0.7))
    if (share <= 0) continue
    const { x, y } = place(year, (1 + RATE) ** year * share)
    const wide = STEP * 0.56
    const dim = progress(seconds, 10.2, 0.8)
    context.globalAlpha = mix(1, 0.42, dim)
    context.fillStyle = vertical(context, y, ORIGIN.y, '#7ba6f7', BAR)
    context.beginPath()
    context.roundRect(x - wide / 2, y, wide, ORIGIN.y - y - 3, [7, 7, 0, 0])
    context.fill()
    context.globalAlpha = 1
  }
}

function curve(balance: (year: number) => number): Point[] {
  return Array.from({ length: 91 }, (_, index) => {
    const year = 0.7 + (index / 90) * (YEARS - 0.4)
    return place(year, balance(year))
  })
}

/** Draws the first part of a line and gives the place it has come to, while it is being drawn. */
function stroke(
  context: Context,
  points: readonly Point[],
  share: number,
  color: string,
  dash: number[],
): Point | null {
  if (share <= 0) return null
  const end = clamp(ease(share)) * (points.length - 1)
  context.strokeStyle = color
  context.lineWidth = 6
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.setLineDash(dash)
  context.beginPath()
  for (const point of points.slice(0, Math.floor(end) + 1)) context.lineTo(point.x, point.y)
  const before = points[Math.floor(end)]!
  const after = points[Math.ceil(end)]!
  const tip = { x: mix(before.x, after.x, end % 1), y: mix(before.y, after.y, end % 1) }
  context.lineTo(tip.x, tip.y)
  context.stroke()
  context.setLineDash([])
  return share < 1 ? tip : null
}

/** The difference between both lines, filled from left to right. */
function gap(context: Context, seconds: number): void {
  const share = ease(progress(seconds, 17.6, 1.6))
  if (share <= 0) return
  const upper = curve((year) => (1 + RATE) ** year)
  const lower = curve((year) => 1 + RATE * year)
  const count = Math.max(2, Math.round(share * upper.length))
  context.fillStyle = 'rgba(20,163,139,.2)'
  context.beginPath()
  for (const point of upper.slice(0, count)) context.lineTo(point.x, point.y)
  for (const point of lower.slice(0, count).reverse()) context.lineTo(point.x, point.y)
  context.fill()
}

function legend(context: Context, seconds: number): void {
  const rows = [
    { color: SIMPLE, text: '단리', at: 12.6, dash: [14, 10] },
    { color: COMPOUND, text: '복리', at: 16.6, dash: [] },
  ]
  for (const [index, row] of rows.entries()) {
    const y = 212 + index * 52
    context.globalAlpha = ease(progress(seconds, row.at, 0.6))
    context.strokeStyle = row.color
    context.lineWidth = 6
    context.lineCap = 'round'
    context.setLineDash(row.dash)
    context.beginPath()
    context.moveTo(934, y)
    context.lineTo(1000, y)
    context.stroke()
    context.setLineDash([])
    context.fillStyle = INK
    context.textBaseline = 'middle'
    if (HANGUL_BY_HAND) {
      context.font = `42px "${HANGUL_BY_HAND}"`
      context.fillText(row.text, 1022, y)
    }
  }
  context.globalAlpha = 1
}

/** A = P(1 + r)ⁿ, in a frame. */
function formula(context: Context, seconds: number): void {
  const shown = ease(progress(seconds, 20, 0.8))
  if (shown <= 0) return
  apart(context, () => {
    context.globalAlpha = shown
    context.translate(0, mix(14, 0, shown))
    fillRounded(context, { x: 900, y: 352, width: 276, height: 108 }, 14, '#e4f5f1')
    context.fillStyle = INK
    context.textBaseline = 'alphabetic'
    context.font = `italic 40px "${LATIN_SERIF}"`
    context.fillText('A', 928, 414)
    context.fillText('P', 1003, 414)
    context.fillText('r', 1104, 414)
    context.font = `italic 24px "${LATIN_SERIF}"`
    context.fillText('n', 1138, 392)
    context.font = `36px "${LATIN_SERIF}"`
    context.fillText('=', 962, 413)
    context.fillText('(1+', 1030, 413)
    context.fillText(')', 1122, 413)
  })
}

/** The pen is at whatever is being drawn, and away otherwise. */
function penPosition(seconds: number, pens: readonly (Point | null)[]): Point | null {
  const drawing = pens.find((pen) => pen !== null)
  if (drawing) return drawing
  const across = ease(progress(seconds, 2.2, 1.1))
  if (across > 0 && across < 1) return { x: mix(ORIGIN.x, AXIS.right + 20, across), y: ORIGIN.y }
  const up = ease(progress(seconds, 3.3, 1))
  if (up > 0 && up < 1) return { x: ORIGIN.x, y: mix(ORIGIN.y, AXIS.top - 14, up) }
  return null
}
