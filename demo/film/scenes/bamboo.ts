import { linear, mix, type Point } from './paint.ts'
import { between, type Random } from './random.ts'
import type { Context } from './scene.ts'

/** One movement of the brush. */
export interface Stroke {
  readonly at: number
  readonly seconds: number
  readonly path: readonly Point[]
  /** Draws the first part of the stroke, 0 to 1. */
  readonly draw: (context: Context, share: number) => void
}

const INK = '24,26,30'

/** All strokes of the plant, each with its time: stalks, their joints, branches, leaves. */
export function bamboo(random: Random): Stroke[] {
  return [...stalks(random), ...branches(), ...leaves(random)]
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

/**
 * A section of a stalk, drawn bristle by bristle: dark at its edges, dry in the middle and towards
 * its end.
 */
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

/**
 * Tufts of leaves hang from the branches; the angle is that of their middle, straight down being a
 * quarter turn.
 */
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
