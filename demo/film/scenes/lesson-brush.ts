import { type Canvas, createCanvas } from '@napi-rs/canvas'
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
} from '../paint.ts'
import { between, type Random, seeded } from '../random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from '../scene.ts'

/** One movement of the brush. */
interface Stroke {
  readonly at: number
  readonly seconds: number
  readonly path: readonly Point[]
  /** Draws the first part of the stroke, 0 to 1. */
  readonly draw: (context: Context, share: number) => void
}

const INK = '24,26,30'
const SEAL_AT = 21.1

/** A painting lesson: bamboo in ink, from the stalks to the leaves, with a seal at the end. */
export const lessonBrush: Scene = () => {
  const random = seeded(46)
  const paper = sheet(random)
  const strokes = [...stalks(random), ...branches(), ...leaves(random)]

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

interface Stalk {
  readonly foot: Point
  readonly top: Point
  readonly joints: number
  readonly wide: number
  readonly ink: number
  readonly at: number
  readonly seconds: number
}

const STALKS: readonly Stalk[] = [
  { foot: { x: 1046, y: 740 }, top: { x: 1012, y: -30 }, joints: 5, wide: 28, ink: 0.34, at: 2, seconds: 2.6 },
  { foot: { x: 842, y: 740 }, top: { x: 900, y: -40 }, joints: 6, wide: 52, ink: 0.82, at: 4.9, seconds: 4.3 },
]

/** A place on a stalk, from its foot (0) to its top (1); a stalk bows slightly. */
function along(stalk: Stalk, share: number): Point {
  const bow = Math.sin(share * Math.PI) * 16
  return { x: mix(stalk.foot.x, stalk.top.x, share) - bow, y: mix(stalk.foot.y, stalk.top.y, share) }
}

function stalks(random: Random): Stroke[] {
  return STALKS.flatMap((stalk) => {
    const each = stalk.seconds / stalk.joints
    const sections = Array.from({ length: stalk.joints }, (_, index) => {
      const from = along(stalk, (index + 0.025) / stalk.joints)
      const to = along(stalk, (index + 0.975) / stalk.joints)
      return section(random, stalk, { from, to, at: stalk.at + index * each, seconds: each * 0.78 })
    })
    const joints = Array.from({ length: stalk.joints - 1 }, (_, index) =>
      joint(stalk, along(stalk, (index + 1) / stalk.joints), 9.5 + index * 0.16),
    )
    return [...sections, ...(stalk.ink > 0.5 ? joints : [])]
  })
}

/** A section of a stalk, drawn bristle by bristle: dark at its edges, dry in the middle and towards its end. */
function section(
  random: Random,
  stalk: Stalk,
  { from, to, at, seconds }: { from: Point; to: Point; at: number; seconds: number },
): Stroke {
  const count = Math.round(stalk.wide * 0.62)
  const bristles = Array.from({ length: count }, (_, index) => {
    const side = (index / (count - 1)) * 2 - 1
    return {
      side,
      alpha: stalk.ink * (0.36 + 0.5 * Math.abs(side) ** 1.4 + between(random, -0.12, 0.12)),
      from: between(random, 0, 0.012),
      to: 1 - between(random, 0, 0.03) - (random() < 0.25 ? between(random, 0, 0.3) : 0),
    }
  })
  const draw = (context: Context, share: number) => {
    context.lineWidth = (stalk.wide / count) * 1.75
    context.lineCap = 'round'
    for (const bristle of bristles) {
      const end = Math.min(share, bristle.to)
      if (end <= bristle.from) continue
      context.strokeStyle = `rgba(${INK},${bristle.alpha})`
      context.beginPath()
      for (let step = 0; step <= 8; step++) {
        const place = mix(bristle.from, end, step / 8)
        const flare = 1 + 0.14 * Math.abs(place * 2 - 1) ** 4
        context.lineTo(mix(from.x, to.x, place) + (bristle.side * stalk.wide * flare) / 2, mix(from.y, to.y, place))
      }
      context.stroke()
    }
  }
  return { at, seconds, path: [from, to], draw }
}

/** The dark hook between two sections. */
function joint(stalk: Stalk, { x, y }: Point, at: number): Stroke {
  const reach = stalk.wide * 0.62
  const path = [
    { x: x - reach, y: y - 5 },
    { x: x + reach, y: y - 6 },
  ]
  const draw = (context: Context, share: number) => {
    context.strokeStyle = `rgba(${INK},.92)`
    context.lineWidth = 5
    context.lineCap = 'round'
    context.beginPath()
    for (let step = 0; step <= 10; step++) {
      const place = (step / 10) * share
      context.lineTo(mix(x - reach, x + reach, place), y - 6 + 8 * Math.sin(place * Math.PI))
    }
    context.stroke()
  }
  return { at, seconds: 0.15, path, draw }
}

/** Where branches leave: the share of the thick stalk, and where they lead. */
const BRANCHES: readonly { readonly from: Point; readonly bend: Point; readonly to: Point }[] = [
  { from: { x: 862, y: 218 }, bend: { x: 760, y: 150 }, to: { x: 660, y: 148 } },
  { from: { x: 884, y: 90 }, bend: { x: 980, y: 40 }, to: { x: 1120, y: 66 } },
  { from: { x: 858, y: 350 }, bend: { x: 960, y: 290 }, to: { x: 1116, y: 296 } },
  { from: { x: 836, y: 480 }, bend: { x: 740, y: 420 }, to: { x: 610, y: 430 } },
]

function branches(): Stroke[] {
  return BRANCHES.map(({ from, bend, to }, index) => {
    const path = Array.from({ length: 25 }, (_, step) => bezier(from, bend, to, step / 24))
    const draw = (context: Context, share: number) => {
      context.lineCap = 'round'
      context.strokeStyle = `rgb(${INK})`
      const end = share * (path.length - 1)
      for (let step = 1; step <= end; step++) {
        context.lineWidth = mix(7, 2.4, step / path.length)
        context.beginPath()
        context.moveTo(path[step - 1]!.x, path[step - 1]!.y)
        context.lineTo(path[step]!.x, path[step]!.y)
        context.stroke()
      }
    }
    return { at: 10.7 + index * 0.66, seconds: 0.5, path, draw }
  })
}

function bezier(from: Point, bend: Point, to: Point, share: number): Point {
  const one = (a: number, b: number, c: number) => mix(mix(a, b, share), mix(b, c, share), share)
  return { x: one(from.x, bend.x, to.x), y: one(from.y, bend.y, to.y) }
}

/** Tufts of leaves hang from the branches; the angle is that of their middle, straight down being a quarter turn. */
const TUFTS = [
  { x: 664, y: 150, angle: 2.1, leaves: 5, ink: 0.9 },
  { x: 752, y: 164, angle: 1.75, leaves: 3, ink: 0.55 },
  { x: 1108, y: 66, angle: 1.15, leaves: 5, ink: 0.92 },
  { x: 996, y: 62, angle: 1.45, leaves: 3, ink: 0.5 },
  { x: 1110, y: 298, angle: 1.1, leaves: 5, ink: 0.88 },
  { x: 1000, y: 300, angle: 1.5, leaves: 3, ink: 0.5 },
  { x: 618, y: 432, angle: 2.15, leaves: 5, ink: 0.9 },
  { x: 724, y: 428, angle: 1.7, leaves: 3, ink: 0.6 },
] as const

function leaves(random: Random): Stroke[] {
  const all = TUFTS.flatMap((tuft) =>
    Array.from({ length: tuft.leaves }, (_, index) => {
      const fan = (index - (tuft.leaves - 1) / 2) * 0.42
      return {
        from: { x: tuft.x + between(random, -6, 6), y: tuft.y + between(random, -2, 6) },
        angle: tuft.angle + fan + between(random, -0.1, 0.1),
        long: between(random, 92, 148) * (1 - 0.1 * Math.abs(fan)),
        wide: between(random, 17, 25),
        bend: between(random, -0.16, 0.16),
        ink: tuft.ink * between(random, 0.86, 1),
      }
    }),
  )
  const each = 6.6 / all.length
  return all.map((leaf, index) => {
    const tip = {
      x: leaf.from.x + leaf.long * Math.cos(leaf.angle),
      y: leaf.from.y + leaf.long * Math.sin(leaf.angle),
    }
    const bend = {
      x: (leaf.from.x + tip.x) / 2 - leaf.bend * leaf.long * Math.sin(leaf.angle),
      y: (leaf.from.y + tip.y) / 2 + leaf.bend * leaf.long * Math.cos(leaf.angle),
    }
    const path = Array.from({ length: 21 }, (_, step) => bezier(leaf.from, bend, tip, step / 20))
    const draw = (context: Context, share: number) => blade(context, path, leaf, share)
    return { at: 13.5 + index * each, seconds: each * 0.72, path, draw }
  })
}

/** Pressed at first, then lifted to a point. */
function blade(context: Context, path: readonly Point[], leaf: { wide: number; ink: number }, share: number): void {
  const first = path[0]!
  const last = path.at(-1)!
  const across = Math.atan2(last.y - first.y, last.x - first.x) + Math.PI / 2
  const half = (place: number) => (leaf.wide / 2) * Math.sin(Math.PI * place ** 0.62) ** 0.9 + 0.7
  const reached = path.slice(0, Math.max(2, Math.round(share * path.length)))
  context.fillStyle = linear(
    context,
    first,
    last,
    `rgba(${INK},${leaf.ink})`,
    `rgba(${INK},${leaf.ink})`,
    `rgba(${INK},${leaf.ink * 0.72})`,
  )
  context.beginPath()
  const edge = (side: -1 | 1) => (point: Point, index: number) => {
    const wide = side * half(index / (path.length - 1))
    return { x: point.x + wide * Math.cos(across), y: point.y + wide * Math.sin(across) }
  }
  for (const { x, y } of [...reached.map(edge(1)), ...reached.map(edge(-1)).reverse()]) context.lineTo(x, y)
  context.fill()
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

/** The brush follows the stroke being made, travels lifted to the next, and leaves when all are done. */
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
