import { apart, fillCircle, fillFrame, radial, TURN, vertical } from './paint.ts'
import { between, seeded } from './random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

const HORIZON = HEIGHT * 0.52
const MOON = { x: WIDTH * 0.3, y: HEIGHT * 0.23 }
const SWELLS = 9

/**
 * A moonlit sea: nine swells in front of one another, glints under the moon, a small boat on its
 * way.
 */
export const tide: Scene = () => {
  const random = seeded(4)
  const stars = Array.from({ length: 110 }, () => ({
    x: random() * WIDTH,
    y: random() * HEIGHT * 0.46,
    size: between(random, 0.5, 1.5),
    phase: random() * TURN,
    twinkles: random() < 0.2,
  }))

  return (context, seconds) => {
    fillFrame(context, vertical(context, 0, HORIZON + 12, '#050b24', '#0f2a58', '#3c7aa3'))
    for (const star of stars) {
      context.globalAlpha = star.twinkles ? 0.35 + 0.6 * Math.sin(seconds * 1.5 + star.phase) ** 2 : 0.6
      fillCircle(context, star.x, star.y, star.size, '#fff')
    }
    context.globalAlpha = 1
    moon(context)
    for (let index = 0; index < SWELLS; index++) {
      if (index === 2) boat(context, 1010 - seconds * 6, swell(2, 1010 - seconds * 6, seconds) + 2, seconds)
      water(context, index, seconds)
      glints(context, index, seconds)
    }
  }
}

function moon(context: Context): void {
  const { x, y } = MOON
  fillFrame(context, radial(context, x, y, 300, 'rgba(214,230,255,.6)', 'rgba(160,200,255,.13)', 'rgba(160,200,255,0)'))
  fillCircle(context, x, y, 50, '#f4f8ff')
  for (const [dx, dy, radius] of [
    [-16, -10, 12],
    [14, 8, 9],
    [-4, 20, 7],
    [18, -20, 6],
  ] as const)
    fillCircle(context, x + dx, y + dy, radius, 'rgba(186,204,232,.45)')
}

/** The height of a swell's crest at `x`, in pixels from the top. */
function swell(index: number, x: number, seconds: number): number {
  const size = index + 1
  const across = (x / WIDTH) * TURN
  const long = Math.sin(across * (2.9 - index * 0.15) + seconds * (0.7 + index * 0.06) + index * 2)
  const short = Math.sin(across * (5 - index * 0.3) - seconds * 0.9 + index)
  return HORIZON + index * HEIGHT * 0.054 + size * (3.6 * long + 2 * short)
}

function water(context: Context, index: number, seconds: number): void {
  const top = HORIZON + index * HEIGHT * 0.054
  context.fillStyle = vertical(
    context,
    top - 24,
    top + 110,
    `hsl(${203 + index * 3} ${46 + index * 3}% ${44 - index * 3.8}%)`,
    `hsl(${207 + index * 3} 62% ${29 - index * 2.6}%)`,
  )
  context.beginPath()
  context.moveTo(0, HEIGHT)
  for (let x = 0; x <= WIDTH; x += 8) context.lineTo(x, swell(index, x, seconds))
  context.lineTo(WIDTH, HEIGHT)
  context.fill()
}

function glints(context: Context, index: number, seconds: number): void {
  context.fillStyle = `rgba(240,248,255,${0.34 - index * 0.025})`
  for (let k = 0; k < 12; k++) {
    const wide = (6 + index * 5) * (1 + Math.sin(seconds * 1.4 + k * 3 + index))
    const x = MOON.x + Math.sin(k * 7.3 + index * 3) * (20 + index * 14)
    const y = swell(index, x, seconds) + 9 + (k % 4) * 8
    context.beginPath()
    context.ellipse(x, y, wide / 2, 1 + index * 0.1, 0, 0, TURN)
    context.fill()
  }
}

function boat(context: Context, x: number, y: number, seconds: number): void {
  apart(context, () => {
    context.translate(x, y)
    context.rotate(0.035 * Math.sin(seconds * 0.9))
    context.fillStyle = '#0a1734'
    context.beginPath()
    context.moveTo(-44, -10)
    context.quadraticCurveTo(0, -4, 46, -12)
    context.lineTo(30, 10)
    context.lineTo(-32, 10)
    context.fill()
    context.fillRect(-2, -96, 3, 92)
    context.fillStyle = '#d7e4f7'
    context.beginPath()
    context.moveTo(-5, -94)
    context.quadraticCurveTo(-46, -40, -44, -18)
    context.lineTo(-5, -16)
    context.fill()
    context.fillStyle = '#9fb8dc'
    context.beginPath()
    context.moveTo(4, -88)
    context.quadraticCurveTo(32, -46, 40, -20)
    context.lineTo(4, -16)
    context.fill()
    fillCircle(context, 22, -17, 16, radial(context, 22, -17, 16, 'rgba(255,205,120,.9)', 'rgba(255,190,90,0)'))
    fillCircle(context, 22, -17, 2.6, '#ffe7b0')
  })
}
