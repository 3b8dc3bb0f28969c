import { apart, fillCircle, fillFrame, linear, progress, radial, TURN } from './paint.ts'
import { between, seeded } from './random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

const PLANET = { x: WIDTH * 0.43, y: HEIGHT * 0.5, radius: 168 }
/** The planet's axis leans, and with it the plane of rings and moons. */
const LEAN = -0.3
/** How far the ring plane is foreshortened. */
const FLATTEN = 0.27

interface Band {
  readonly from: number
  readonly to: number
  readonly color: string
}

/** Cloud bands from pole (-1) to pole (1). */
const CLOUDS: readonly Band[] = [
  { from: -1, to: -0.72, color: '#b98a6a' },
  { from: -0.72, to: -0.5, color: '#d9ae84' },
  { from: -0.5, to: -0.34, color: '#c28a5f' },
  { from: -0.34, to: -0.06, color: '#ecd0a2' },
  { from: -0.06, to: 0.12, color: '#cf9a6c' },
  { from: 0.12, to: 0.4, color: '#e6c191' },
  { from: 0.4, to: 0.56, color: '#b98058' },
  { from: 0.56, to: 0.78, color: '#d3a57a' },
  { from: 0.78, to: 1, color: '#a87a5e' },
]

/** The air at the planet's edge: the colours from its centre outwards. */
const GLOW = [...Array<string>(10).fill('rgba(255,218,168,.5)'), 'rgba(255,214,160,0)']

/** Rings as shares of the planet's radius. */
const RINGS: readonly (Band & { alpha: number })[] = [
  { from: 1.28, to: 1.36, color: '#b79f87', alpha: 0.35 },
  { from: 1.38, to: 1.56, color: '#d8c3a5', alpha: 0.75 },
  { from: 1.57, to: 1.74, color: '#efe0c4', alpha: 0.9 },
  { from: 1.8, to: 1.95, color: '#c9b394', alpha: 0.7 },
  { from: 1.97, to: 2.08, color: '#a8957f', alpha: 0.5 },
  { from: 2.16, to: 2.19, color: '#d8c3a5', alpha: 0.4 },
]

const MOONS = [
  { distance: 2.6, size: 13, seconds: 22, phase: 0.4, light: '#f2ece4', shade: '#57504f' },
  { distance: 3.25, size: 20, seconds: 34, phase: 2.9, light: '#bcd3e6', shade: '#2f3d52' },
  { distance: 3.6, size: 9, seconds: 44, phase: 5.35, light: '#e6b79a', shade: '#53352c' },
] as const

/** A ringed planet with three moons on their way round it, and a comet passing. */
export const orbit: Scene = () => {
  const random = seeded(8)
  const stars = Array.from({ length: 240 }, () => ({
    x: random() * WIDTH,
    y: random() * HEIGHT,
    size: 0.4 + random() ** 4 * 1.7,
    alpha: between(random, 0.25, 0.95),
    color: random() < 0.2 ? '#ffd9b8' : random() < 0.3 ? '#bcd6ff' : '#ffffff',
  }))
  const storms = Array.from({ length: 16 }, (_, index) => ({
    longitude: (index / 16) * TURN + between(random, -0.15, 0.15),
    latitude: between(random, -0.62, 0.3),
    size: between(random, 0.04, 0.1),
    light: random() < 0.6,
  }))

  return (context, seconds) => {
    space(context)
    for (const star of stars) {
      context.globalAlpha = star.alpha
      fillCircle(context, star.x, star.y, star.size, star.color)
    }
    context.globalAlpha = 1
    comet(context, seconds)
    apart(context, () => {
      context.translate(PLANET.x, PLANET.y)
      context.rotate(LEAN)
      for (const moon of MOONS) if (height(moon, seconds) < 0) satellite(context, moon, seconds)
      rings(context, 'behind')
      planet(context, seconds, storms)
      rings(context, 'before')
      for (const moon of MOONS) if (height(moon, seconds) >= 0) satellite(context, moon, seconds)
    })
  }
}

function space(context: Context): void {
  fillFrame(
    context,
    linear(context, { x: 0, y: 0 }, { x: WIDTH, y: HEIGHT }, '#04050f', '#0a0d24', '#120c26', '#05050e'),
  )
  fillFrame(context, radial(context, 1060, 170, 420, 'rgba(92,64,150,.34)', 'rgba(60,48,130,.12)', 'rgba(40,40,110,0)'))
  fillFrame(context, radial(context, 160, 640, 380, 'rgba(24,92,120,.3)', 'rgba(20,70,110,.1)', 'rgba(20,60,100,0)'))
}

interface Storm {
  readonly longitude: number
  readonly latitude: number
  readonly size: number
  readonly light: boolean
}

function planet(context: Context, seconds: number, storms: readonly Storm[]): void {
  const { radius } = PLANET
  fillCircle(context, -9, -3, radius * 1.04, radial(context, -9, -3, radius * 1.04, ...GLOW))
  apart(context, () => {
    context.beginPath()
    context.arc(0, 0, radius, 0, TURN)
    context.clip()
    fillCircle(context, 0, 0, radius, CLOUDS[0]!.color)
    for (const band of CLOUDS) cloudBand(context, band, seconds)
    for (const storm of storms) whirl(context, storm, seconds)
    ringShadow(context)
    const sunwards = { x: -radius * 0.62, y: -radius * 0.2 }
    context.fillStyle = radial(
      context,
      sunwards.x,
      sunwards.y,
      radius * 1.75,
      'rgba(255,244,220,.32)',
      'rgba(255,240,210,.04)',
      'rgba(20,8,24,.3)',
      'rgba(10,4,20,.8)',
      'rgba(4,3,14,.95)',
    )
    context.fillRect(-radius, -radius, radius * 2, radius * 2)
  })
}

function cloudBand(context: Context, band: Band, seconds: number): void {
  const { radius } = PLANET
  const top = (x: number) => band.from * radius + 3.2 * Math.sin(x / 34 + seconds * 0.35 + band.from * 40)
  context.fillStyle = band.color
  context.beginPath()
  context.moveTo(-radius, band.to * radius + 8)
  for (let x = -radius; x <= radius; x += 8) context.lineTo(x, top(x) + 10 * (1 - (x / radius) ** 2))
  context.lineTo(radius, band.to * radius + 24)
  context.lineTo(-radius, band.to * radius + 24)
  context.fill()
}

function whirl(context: Context, storm: Storm, seconds: number): void {
  const angle = storm.longitude + seconds * 0.16
  if (Math.cos(angle) <= 0) return
  const { radius } = PLANET
  const edge = Math.sqrt(1 - storm.latitude ** 2)
  const x = Math.sin(angle) * radius * edge
  const y = storm.latitude * radius + 10 * (1 - (x / radius) ** 2)
  context.fillStyle = storm.light ? 'rgba(255,238,208,.55)' : 'rgba(140,78,48,.45)'
  context.beginPath()
  context.ellipse(x, y, storm.size * radius * 1.9 * Math.cos(angle), storm.size * radius * 0.6, 0, 0, TURN)
  context.fill()
}

function ringShadow(context: Context): void {
  context.strokeStyle = 'rgba(40,16,20,.3)'
  context.lineWidth = PLANET.radius * 0.13
  context.beginPath()
  context.ellipse(0, -PLANET.radius * 0.16, PLANET.radius * 1.5, PLANET.radius * 1.5 * FLATTEN, 0, 0, Math.PI)
  context.stroke()
}

/**
 * Half of the rings; the half behind falls into the planet's shadow on the side away from the sun.
 */
function rings(context: Context, half: 'behind' | 'before'): void {
  const [start, end] = half === 'behind' ? [Math.PI, TURN] : [0, Math.PI]
  const { radius } = PLANET
  for (const ring of RINGS) {
    const steps = 3
    for (let step = 0; step < steps; step++) {
      const share = ring.from + ((ring.to - ring.from) * (step + 0.5)) / steps
      context.globalAlpha = ring.alpha * (step % 2 ? 0.82 : 1)
      context.fillStyle =
        half === 'before'
          ? ring.color
          : linear(
              context,
              { x: -radius * 2, y: 0 },
              { x: radius * 2, y: 0 },
              ring.color,
              ring.color,
              ring.color,
              '#1a1420',
              '#2a2028',
              ring.color,
            )
      ringlet(context, share * radius, ((ring.to - ring.from) * radius) / steps, start, end)
    }
  }
  context.globalAlpha = 1
}

/** A ring is as wide in its plane all round, so it is filled between two ellipses, not stroked. */
function ringlet(context: Context, middle: number, wide: number, start: number, end: number): void {
  context.beginPath()
  context.ellipse(0, 0, middle + wide / 2, (middle + wide / 2) * FLATTEN, 0, start, end)
  context.ellipse(0, 0, middle - wide / 2, (middle - wide / 2) * FLATTEN, 0, end, start, true)
  context.fill()
}

type Moon = (typeof MOONS)[number]

/** Below the middle of the picture is nearer to us than the planet. */
function height(moon: Moon, seconds: number): number {
  return Math.sin(moon.phase + (seconds / moon.seconds) * TURN)
}

function satellite(context: Context, moon: Moon, seconds: number): void {
  const x = Math.cos(moon.phase + (seconds / moon.seconds) * TURN) * moon.distance * PLANET.radius
  const y = height(moon, seconds) * moon.distance * PLANET.radius * FLATTEN
  const size = moon.size * (1 + 0.15 * height(moon, seconds))
  fillCircle(
    context,
    x,
    y,
    size,
    radial(context, x - size * 0.5, y - size * 0.25, size * 1.7, moon.light, moon.light, moon.shade, '#07060f'),
  )
}

function comet(context: Context, seconds: number): void {
  const share = progress(seconds, 13.5, 5)
  if (share <= 0 || share >= 1) return
  const x = 1340 - share * 900
  const y = -30 + share * 250
  const tail = 210 * Math.sin(share * Math.PI)
  context.strokeStyle = linear(
    context,
    { x, y },
    { x: x + tail, y: y - tail * 0.278 },
    'rgba(214,236,255,.9)',
    'rgba(150,200,255,.25)',
    'rgba(150,200,255,0)',
  )
  context.lineWidth = 3.4
  context.lineCap = 'round'
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(x + tail, y - tail * 0.278)
  context.stroke()
  fillCircle(context, x, y, 11, radial(context, x, y, 11, 'rgba(230,244,255,.9)', 'rgba(170,214,255,0)'))
  fillCircle(context, x, y, 2.8, '#fff')
}
