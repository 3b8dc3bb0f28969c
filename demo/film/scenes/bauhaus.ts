import { apart, ease, fillFrame, wrap } from './paint.ts'
import { between, pick, seeded } from './random.ts'
import { type Context, type Scene, WIDTH } from './scene.ts'

const INK = '#1d3557'
const COLORS = ['#e63946', '#f1faee', '#a8dadc', '#457b9d', '#ffb703'] as const
const FIGURES = ['quarter', 'disc', 'triangle', 'halves', 'rings'] as const

const COLUMNS = 6
const ROWS = 4
const TILE = WIDTH / COLUMNS
/** Seconds from one quarter turn of a tile to its next. */
const REST = 12

/** A wall of coloured tiles that turn in waves, after the posters of the Bauhaus. */
export const bauhaus: Scene = () => {
  const random = seeded(33)
  const tiles = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
    const column = index % COLUMNS
    const row = Math.floor(index / COLUMNS)
    const ground = pick(random, COLORS)
    const figure = pick(random, COLORS)
    return {
      x: (column + 0.5) * TILE,
      y: (row + 0.5) * TILE - 67,
      ground,
      figure: figure === ground ? INK : figure,
      shape: pick(random, FIGURES),
      delay: (column + row) * 1.2 + between(random, 0, 1.2),
      direction: random() < 0.5 ? 1 : -1,
    }
  })

  return (context, seconds) => {
    fillFrame(context, INK)
    for (const tile of tiles) {
      const clock = seconds - tile.delay
      const turns = Math.floor(clock / REST) + ease(Math.min(1, wrap(clock, REST) / 0.9))
      apart(context, () => {
        context.translate(tile.x, tile.y)
        context.rotate((tile.direction * turns * Math.PI) / 2)
        context.fillStyle = tile.ground
        context.fillRect(-TILE / 2, -TILE / 2, TILE + 0.5, TILE + 0.5)
        context.fillStyle = tile.figure
        figure(context, tile.shape, TILE / 2, tile.ground)
      })
    }
  }
}

/** Draws a figure into the square from `-half` to `half`. */
function figure(context: Context, shape: (typeof FIGURES)[number], half: number, ground: string): void {
  context.beginPath()
  switch (shape) {
    case 'quarter':
      context.moveTo(-half, -half)
      context.arc(-half, -half, half * 2, 0, Math.PI / 2)
      break
    case 'disc':
      context.arc(0, 0, half * 0.72, 0, Math.PI * 2)
      break
    case 'triangle':
      context.moveTo(-half, -half)
      context.lineTo(half, -half)
      context.lineTo(-half, half)
      break
    case 'halves':
      context.arc(0, -half, half, 0, Math.PI)
      context.fill()
      context.beginPath()
      context.arc(0, half, half, Math.PI, Math.PI * 2)
      break
    case 'rings':
      context.arc(-half, half, half * 2, -Math.PI / 2, 0)
      context.lineTo(-half, half)
      context.fill()
      context.fillStyle = ground
      context.beginPath()
      context.moveTo(-half, half)
      context.arc(-half, half, half * 1.3, -Math.PI / 2, 0)
      context.fill()
      context.fillStyle = INK
      context.beginPath()
      context.moveTo(-half, half)
      context.arc(-half, half, half * 0.62, -Math.PI / 2, 0)
      break
  }
  context.fill()
}
