import { apart, fillCircle, fillFrame, radial, vertical } from './paint.ts'
import { between, type Random, seeded } from './random.ts'
import { type Context, HEIGHT, type Scene, WIDTH } from './scene.ts'

interface Building {
  readonly x: number
  readonly width: number
  readonly height: number
  readonly roof: 'flat' | 'mast' | 'step'
  /** One number per window; the brightest are lit. */
  readonly windows: readonly number[]
}

interface Row {
  readonly buildings: readonly Building[]
  readonly color: string
  readonly light: string
  /** The width of a window; its height and the walls between follow from it. */
  readonly pane: number
  /**
   * Pixels a second. Towers stand on whole pixels, so that an encoder can move them without loss.
   */
  readonly speed: number
}

/**
 * A city after sundown seen from a passing train: three rows of towers, windows lit, an aeroplane
 * overhead.
 */
export const skyline: Scene = () => {
  const random = seeded(11)
  const rows: readonly Row[] = [
    { buildings: row(random, 8, 0.32, 0.56), color: '#3a2f66', light: '#f4b98f', pane: 8, speed: 12 },
    { buildings: row(random, 10, 0.2, 0.44), color: '#1d1c45', light: '#ffc46b', pane: 10, speed: 24 },
    { buildings: row(random, 14, 0.1, 0.28), color: '#0b0d24', light: '#8be3f5', pane: 14, speed: 48 },
  ]

  return (context, seconds) => {
    fillFrame(context, vertical(context, 0, HEIGHT, '#0d0b2d', '#3a1c5c', '#a4386f', '#ff7a59', '#ffb27a'))
    moon(context)
    aeroplane(context, 1180 - seconds * 30, 120 + seconds * 1.2, seconds)
    for (const [index, each] of rows.entries()) {
      for (const building of each.buildings) {
        const x = building.x - Math.round(seconds * each.speed)
        if (x < WIDTH && x + building.width > 0) tower(context, each, building, x)
      }
      if (index < rows.length - 1) mist(context)
    }
  }
}

function row(random: Random, pane: number, lowest: number, highest: number): Building[] {
  const buildings: Building[] = []
  for (let x = -20; x < WIDTH * 2; ) {
    const width = Math.round(between(random, 3, 7)) * pane * 2 + pane
    const tall = between(random, lowest, highest) * (random() < 0.12 ? 1.25 : 1)
    buildings.push({
      x,
      width,
      height: Math.round(HEIGHT * tall),
      roof: random() < 0.25 ? 'mast' : random() < 0.4 ? 'step' : 'flat',
      windows: Array.from({ length: 240 }, () => random()),
    })
    x += width + 5
  }
  return buildings
}

function moon(context: Context): void {
  fillCircle(
    context,
    930,
    170,
    190,
    radial(context, 930, 170, 190, 'rgba(255,214,190,.4)', 'rgba(255,200,180,.1)', 'rgba(255,190,170,0)'),
  )
  fillCircle(context, 930, 170, 46, '#ffe9d6')
}

function tower(context: Context, row: Row, building: Building, x: number): void {
  const top = HEIGHT - building.height
  context.fillStyle = row.color
  context.fillRect(x, top, building.width, building.height)
  if (building.roof === 'step') context.fillRect(x + building.width * 0.2, top - 14, building.width * 0.6, 14)
  if (building.roof === 'mast') {
    context.fillRect(x + building.width / 2 - 1.5, top - 44, 3, 44)
    fillCircle(context, x + building.width / 2, top - 45, 3, '#ff5d5d')
  }
  context.fillStyle = row.light
  let index = 0
  const { pane } = row
  for (let y = top + pane * 1.5; y < HEIGHT; y += Math.round(pane * 2.4))
    for (let column = x + pane; column < x + building.width - pane; column += pane * 2) {
      const light = building.windows[index++ % building.windows.length] ?? 0
      if (light < 0.6) continue
      context.globalAlpha = 0.22 + (light - 0.6) * 1.8
      context.fillRect(column, y, pane, Math.round(pane * 1.4))
    }
  context.globalAlpha = 1
}

function mist(context: Context): void {
  context.fillStyle = vertical(context, HEIGHT * 0.62, HEIGHT, 'rgba(255,128,110,0)', 'rgba(255,128,110,.2)')
  context.fillRect(0, HEIGHT * 0.62, WIDTH, HEIGHT * 0.38)
}

function aeroplane(context: Context, x: number, y: number, seconds: number): void {
  apart(context, () => {
    context.strokeStyle = 'rgba(255,220,210,.35)'
    context.lineWidth = 2
    context.beginPath()
    context.moveTo(x + 4, y)
    context.lineTo(x + 110, y - 4)
    context.stroke()
    fillCircle(context, x, y, 2.4, '#fff')
    if (seconds % 1.5 < 0.25) fillCircle(context, x, y, 5, 'rgba(255,90,90,.9)')
  })
}
