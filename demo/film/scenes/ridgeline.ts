import { apart, fillCircle, fillFrame, radial, TURN, vertical } from './paint.ts'
import { between, seeded } from './random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

interface Ridge {
  readonly color: string
  readonly top: number
  readonly swing: number
  readonly frequency: number
  /**
   * Pixels a second; multiples of 6 land on quarter pixels of a frame, which an encoder moves
   * without loss.
   */
  readonly speed: number
}

const RIDGES: readonly Ridge[] = [
  { color: '#9a7099', top: 0.46, swing: 0.055, frequency: 4.8, speed: 6 },
  { color: '#76527f', top: 0.56, swing: 0.065, frequency: 5.9, speed: 12 },
  { color: '#523a68', top: 0.67, swing: 0.075, frequency: 7.0, speed: 18 },
  { color: '#33264b', top: 0.78, swing: 0.08, frequency: 6.2, speed: 30 },
  { color: '#17112b', top: 0.9, swing: 0.07, frequency: 5.2, speed: 48 },
]

/** Mountain ranges at sundown, passing slowly; pines on the nearest one and a few birds far off. */
export const ridgeline: Scene = () => {
  const random = seeded(7)
  const pines = Array.from({ length: 90 }, (_, index) => ({
    x: index * 30 + between(random, -12, 12),
    height: between(random, 22, 62) * (random() < 0.35 ? 0.4 : 1),
  }))
  const birds = Array.from({ length: 7 }, (_, index) => ({
    x: Math.abs(index - 3) * -34 + between(random, -6, 6),
    y: (index - 3) * 15 + between(random, -4, 4),
    phase: random() * TURN,
  }))

  return (context, seconds) => {
    fillFrame(context, vertical(context, 0, HEIGHT * 0.78, '#25305f', '#6d4a80', '#d9687a', '#ff9d6c', '#ffdca6'))
    sun(context, WIDTH * 0.66, HEIGHT * (0.36 + 0.006 * seconds))
    for (const bird of birds) {
      const x = 330 + seconds * 18 + bird.x
      const y = 190 - seconds * 1.5 + bird.y
      wings(context, x, y, 9, Math.sin(seconds * 5 + bird.phase) * (0.5 + 0.5 * Math.sin(seconds * 0.7 + bird.phase)))
    }
    for (const [index, ridge] of RIDGES.entries()) {
      range(context, ridge, index, seconds)
      if (index < RIDGES.length - 1) haze(context, ridge)
    }
    const nearest = RIDGES.at(-1)!
    context.fillStyle = nearest.color
    for (const pine of pines) {
      const x = pine.x - seconds * nearest.speed
      if (x > -40 && x < WIDTH + 40) tree(context, x, height(nearest, RIDGES.length - 1, pine.x) + 6, pine.height)
    }
  }
}

function sun(context: Context, x: number, y: number): void {
  fillFrame(
    context,
    radial(context, x, y, 400, 'rgba(255,240,200,.85)', 'rgba(255,205,150,.22)', 'rgba(255,200,140,0)'),
  )
  fillCircle(context, x, y, 52, '#fff4da')
}

/** The skyline of a ridge at a place in its own landscape, in pixels from the top. */
function height(ridge: Ridge, index: number, place: number): number {
  const u = (place / WIDTH) * ridge.frequency
  const seed = index * 13.1
  const hills = Math.sin(u * 1.1 + seed) + 0.5 * Math.sin(u * 2.3 + seed * 1.7) + 0.25 * Math.sin(u * 4.9 + seed * 2.9)
  const crags = 0.1 * Math.abs(Math.sin(u * 9 + seed)) + 0.045 * Math.sin(u * 23 + seed)
  return HEIGHT * (ridge.top - ridge.swing * (hills + crags))
}

function range(context: Context, ridge: Ridge, index: number, seconds: number): void {
  const travelled = seconds * ridge.speed
  context.fillStyle = ridge.color
  context.beginPath()
  context.moveTo(0, HEIGHT)
  for (let x = 0; x <= WIDTH; x += 4) context.lineTo(x, height(ridge, index, x + travelled))
  context.lineTo(WIDTH, HEIGHT)
  context.fill()
}

function haze(context: Context, ridge: Ridge): void {
  const top = HEIGHT * ridge.top
  context.fillStyle = vertical(context, top - 20, top + 150, 'rgba(255,186,150,0)', 'rgba(255,178,150,.26)')
  context.fillRect(0, top - 20, WIDTH, HEIGHT)
}

function tree(context: Context, x: number, foot: number, tall: number): void {
  context.beginPath()
  for (const [from, reach] of [
    [1, 0.16],
    [0.74, 0.2],
    [0.48, 0.24],
  ] as const) {
    context.moveTo(x, foot - tall * from)
    context.lineTo(x + tall * reach, foot - tall * (from - 0.48))
    context.lineTo(x - tall * reach, foot - tall * (from - 0.48))
  }
  context.rect(x - tall * 0.03, foot - tall * 0.1, tall * 0.06, tall * 0.3)
  context.fill()
}

function wings(context: Context, x: number, y: number, span: number, beat: number): void {
  apart(context, () => {
    context.translate(x, y)
    context.strokeStyle = 'rgba(40,26,62,.85)'
    context.lineWidth = 2
    context.lineCap = 'round'
    context.beginPath()
    context.moveTo(-span, -beat * 5)
    context.quadraticCurveTo(-span * 0.4, -3 - beat * 2, 0, 1)
    context.quadraticCurveTo(span * 0.4, -3 - beat * 2, span, -beat * 5)
    context.stroke()
  })
}
