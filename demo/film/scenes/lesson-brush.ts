import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { bamboo, type Stroke } from './bamboo.ts'
import {
  apart,
  ease,
  fillCircle,
  fillFrame,
  fillRounded,
  linear,
  mix,
  type Point,
  progress,
  radial,
  TURN,
} from './paint.ts'
import { between, type Random, seeded } from './random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

const SEAL_AT = 21.1

/** A painting lesson: bamboo in ink, from the stalks to the leaves, with a seal at the end. */
export const lessonBrush: Scene = () => {
  const random = seeded(46)
  const paper = sheet(random)
  const strokes = bamboo(random)

  return (context, seconds) => {
    context.drawImage(paper, 0, 0)
    wash(context, seconds)
    for (const stroke of strokes) {
      const share = progress(seconds, stroke.at, stroke.seconds)
      if (share > 0) stroke.draw(context, ease(share))
    }
    seal(context, seconds)
    brush(context, strokes, seconds)
  }
}

function sheet(random: Random): Canvas {
  const canvas = createCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d')
  fillFrame(context, linear(context, { x: 0, y: 0 }, { x: WIDTH, y: HEIGHT }, '#f7f1e3', '#f4ecdb', '#ece1ca'))
  context.lineCap = 'round'
  for (let fibre = 0; fibre < 130; fibre++) {
    const x = random() * WIDTH
    const y = random() * HEIGHT
    const angle = random() * TURN
    const long = between(random, 14, 46)
    context.strokeStyle = `rgba(150,122,80,${between(random, 0.05, 0.16)})`
    context.lineWidth = between(random, 0.8, 1.6)
    context.beginPath()
    context.moveTo(x, y)
    context.quadraticCurveTo(
      x + long * Math.cos(angle + 0.5),
      y + long * Math.sin(angle + 0.5),
      x + long * 1.6 * Math.cos(angle),
      y + long * 1.6 * Math.sin(angle),
    )
    context.stroke()
  }
  fillFrame(
    context,
    radial(context, WIDTH / 2, HEIGHT / 2, 780, 'rgba(120,90,40,0)', 'rgba(120,90,40,0)', 'rgba(110,80,36,.22)'),
  )
  return canvas
}

/** The sun, a pale red wash that spreads while the leaves are painted. */
function wash(context: Context, seconds: number): void {
  const spread = ease(progress(seconds, 0.4, 2.6))
  context.globalAlpha = spread
  fillCircle(
    context,
    372,
    232,
    mix(84, 104, spread),
    radial(context, 352, 212, 128, 'rgba(205,72,50,.84)', 'rgba(203,72,52,.78)', 'rgba(196,66,48,.52)'),
  )
  context.globalAlpha = 1
}

/** A square seal of four strokes, pressed on with a small bounce. */
function seal(context: Context, seconds: number): void {
  const share = progress(seconds, SEAL_AT, 0.35)
  if (share <= 0) return
  apart(context, () => {
    context.translate(330, 566)
    const size = mix(1.5, 1, ease(share))
    context.scale(size, size)
    context.globalAlpha = ease(share)
    fillRounded(context, { x: -38, y: -38, width: 76, height: 76 }, 8, '#b8382c')
    context.strokeStyle = '#f6eedd'
    context.lineWidth = 5
    context.lineCap = 'square'
    context.strokeRect(-26, -26, 52, 52)
    context.beginPath()
    for (const [x, y, dx, dy] of [
      [0, -26, 0, 52],
      [-26, -6, 26, 0],
      [0, 8, 26, 0],
      [-13, 10, 0, 6],
    ] as const) {
      context.moveTo(x, y)
      context.lineTo(x + dx, y + dy)
    }
    context.stroke()
  })
}

/**
 * The brush follows the stroke being made, travels lifted to the next, and leaves when all are
 * done.
 */
function brush(context: Context, strokes: readonly Stroke[], seconds: number): void {
  const ordered = strokes.toSorted((one, other) => one.at - other.at)
  const rest = { x: 1230, y: 660 }
  const next = ordered.find((stroke) => stroke.at + stroke.seconds > seconds)
  const before = ordered.findLast((stroke) => stroke.at + stroke.seconds <= seconds)
  const left = before?.path.at(-1) ?? rest
  if (next && seconds >= next.at) {
    handle(context, reachedPoint(next, seconds), 0)
    return
  }
  const leaving = before ? before.at + before.seconds : 1
  const arriving = next?.at ?? leaving + 1.6
  const target = next?.path[0] ?? { x: 1420, y: 820 }
  const share = ease(progress(seconds, leaving, arriving - leaving))
  const far = Math.hypot(target.x - left.x, target.y - left.y)
  const lift = Math.sin(share * Math.PI) * Math.min(26, far * 0.16)
  handle(context, { x: mix(left.x, target.x, share), y: mix(left.y, target.y, share) }, lift)
}

function reachedPoint(stroke: Stroke, seconds: number): Point {
  const place = ease(progress(seconds, stroke.at, stroke.seconds)) * (stroke.path.length - 1)
  const from = stroke.path[Math.floor(place)]!
  const to = stroke.path[Math.ceil(place)]!
  return { x: mix(from.x, to.x, place % 1), y: mix(from.y, to.y, place % 1) }
}

function handle(context: Context, tip: Point, lift: number): void {
  apart(context, () => {
    context.translate(tip.x, tip.y - lift)
    context.rotate(0.42)
    apart(context, () => {
      context.shadowColor = 'rgba(60,40,16,.35)'
      context.shadowBlur = 14
      context.shadowOffsetX = 16 + lift
      context.shadowOffsetY = 12 + lift
      fillRounded(
        context,
        { x: -9, y: -330, width: 18, height: 262 },
        9,
        linear(context, { x: -9, y: 0 }, { x: 9, y: 0 }, '#8a5a2e', '#d9a566', '#b47a42', '#7b4d24'),
      )
    })
    for (const y of [-270, -180]) {
      context.fillStyle = 'rgba(90,52,20,.55)'
      context.fillRect(-9, y, 18, 3)
    }
    fillRounded(context, { x: -11, y: -82, width: 22, height: 20 }, 4, '#2b2320')
    context.fillStyle = linear(context, { x: -14, y: 0 }, { x: 14, y: 0 }, '#15161a', '#3b3d45', '#101114')
    context.beginPath()
    context.moveTo(-11, -64)
    context.bezierCurveTo(-19, -36, -8, -14, 0, 0)
    context.bezierCurveTo(8, -14, 19, -36, 11, -64)
    context.fill()
  })
}
