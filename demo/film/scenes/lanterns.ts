import { apart, fillCircle, fillFrame, radial, TURN, vertical } from './paint.ts'
import { between, seeded } from './random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

interface Lantern {
  readonly x: number
  readonly y: number
  /** 0.25 is far away, 1.25 is close. */
  readonly nearness: number
  readonly phase: number
}

/** The height a lantern travels before it starts again below the frame. */
const LOOP = HEIGHT * 1.3

/** Paper lanterns rising over dark hills and a still lake on a festival night. */
export const lanterns: Scene = () => {
  const random = seeded(21)
  const flock: Lantern[] = Array.from({ length: 38 }, () => ({
    x: random(),
    y: random(),
    nearness: 0.22 + random() ** 1.6,
    phase: random() * TURN,
  })).sort((one, other) => one.nearness - other.nearness)
  const stars = Array.from({ length: 90 }, () => ({
    x: random() * WIDTH,
    y: random() * HEIGHT * 0.6,
    size: between(random, 0.5, 1.3),
  }))

  return (context, seconds) => {
    fillFrame(context, vertical(context, 0, HEIGHT, '#050920', '#0f1740', '#2f2558', '#6b3a5e'))
    context.globalAlpha = 0.5
    for (const star of stars) fillCircle(context, star.x, star.y, star.size, '#dfe6ff')
    context.globalAlpha = 1
    hills(context, HEIGHT * 0.83, 34, 1.3, '#1d1740')
    for (const lantern of flock) if (lantern.nearness < 0.6) rise(context, lantern, seconds)
    hills(context, HEIGHT * 0.92, 42, 4.1, '#0d0b26')
    for (const lantern of flock) if (lantern.nearness >= 0.6) rise(context, lantern, seconds)
  }
}

function hills(context: Context, base: number, swing: number, seed: number, color: string): void {
  context.fillStyle = color
  context.beginPath()
  context.moveTo(0, HEIGHT)
  for (let x = 0; x <= WIDTH; x += 6) {
    const u = x / 200 + seed
    context.lineTo(x, base - swing * (Math.sin(u) + 0.4 * Math.sin(u * 2.7) + 0.12 * Math.sin(u * 9)))
  }
  context.lineTo(WIDTH, HEIGHT)
  context.fill()
}

function rise(context: Context, lantern: Lantern, seconds: number): void {
  const travelled = lantern.y * LOOP - seconds * 16 * lantern.nearness
  const y = (((travelled % LOOP) + LOOP) % LOOP) - HEIGHT * 0.15
  const x = (lantern.x + 0.018 * Math.sin(seconds * 0.4 + lantern.phase)) * WIDTH
  const size = 27 * lantern.nearness
  const flame = 0.94 + 0.06 * Math.sin(seconds * 1.1 + lantern.phase * 9)
  const glow = size * 4.4
  fillCircle(
    context,
    x,
    y,
    glow,
    radial(context, x, y, glow, `rgba(255,165,70,${0.46 * flame})`, 'rgba(255,120,40,.09)', 'rgba(255,120,40,0)'),
  )
  apart(context, () => {
    context.translate(x, y)
    context.rotate(0.07 * Math.sin(seconds * 0.7 + lantern.phase))
    context.fillStyle = vertical(context, -size * 1.2, size * 1.2, '#b4431c', '#f58a2e', '#ffcf6e', '#fff3c4')
    context.beginPath()
    context.moveTo(-size * 0.78, -size * 0.8)
    context.bezierCurveTo(-size * 0.7, -size * 1.55, size * 0.7, -size * 1.55, size * 0.78, -size * 0.8)
    context.lineTo(size * 0.55, size * 1.1)
    context.quadraticCurveTo(0, size * 1.28, -size * 0.55, size * 1.1)
    context.fill()
    context.strokeStyle = 'rgba(140,48,14,.35)'
    context.lineWidth = Math.max(1, size * 0.05)
    context.beginPath()
    for (const rib of [-0.3, 0.3]) {
      context.moveTo(size * rib, -size * 1.3)
      context.lineTo(size * rib * 0.75, size * 1.15)
    }
    context.stroke()
    context.fillStyle = 'rgba(96,34,12,.8)'
    context.beginPath()
    context.ellipse(0, size * 1.13, size * 0.55, size * 0.1, 0, 0, TURN)
    context.fill()
  })
}
