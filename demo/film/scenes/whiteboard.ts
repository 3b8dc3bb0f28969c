import { apart, fillCircle, fillFrame, fillRounded, linear, type Point, vertical } from './paint.ts'
import { type Context, HEIGHT, WIDTH } from './scene.ts'

const BOARD = { x: 64, y: 48, width: WIDTH - 128, height: HEIGHT - 112 }

/** A room with a whiteboard and, on its tray, a pen of each colour and a sponge. */
export function whiteboard(context: Context, colors: readonly string[]): void {
  fillFrame(context, vertical(context, 0, HEIGHT, '#cfd8e3', '#b4c0cf'))
  apart(context, () => {
    context.shadowColor = 'rgba(38,52,77,.35)'
    context.shadowBlur = 30
    context.shadowOffsetY = 12
    fillRounded(
      context,
      { x: BOARD.x - 12, y: BOARD.y - 12, width: BOARD.width + 24, height: BOARD.height + 24 },
      14,
      '#8d99ab',
    )
  })
  fillRounded(
    context,
    BOARD,
    6,
    linear(context, { x: BOARD.x, y: BOARD.y }, { x: WIDTH, y: HEIGHT }, '#ffffff', '#fafbfd', '#eef2f7'),
  )
  fillRounded(context, { x: 420, y: HEIGHT - 54, width: 440, height: 14 }, 7, '#76839a')
  for (const [index, color] of colors.entries())
    fillRounded(context, { x: 470 + index * 84, y: HEIGHT - 64, width: 66, height: 12 }, 6, color)
  fillRounded(context, { x: 740, y: HEIGHT - 72, width: 70, height: 20 }, 4, '#4a566b')
}

/** A pen whose tip is at a place on the board. */
export function marker(context: Context, tip: Point, color: string): void {
  apart(context, () => {
    context.translate(tip.x, tip.y)
    context.rotate(0.6)
    context.shadowColor = 'rgba(34,48,74,.3)'
    context.shadowBlur = 10
    context.shadowOffsetX = 8
    context.shadowOffsetY = 6
    fillRounded(
      context,
      { x: -11, y: -150, width: 22, height: 128 },
      8,
      linear(context, { x: -11, y: 0 }, { x: 11, y: 0 }, '#f7f9fc', '#ffffff', '#cbd4e0'),
    )
    context.shadowColor = 'transparent'
    fillRounded(context, { x: -11, y: -154, width: 22, height: 34 }, 7, color)
    context.fillStyle = color
    context.beginPath()
    context.moveTo(-9, -24)
    context.lineTo(9, -24)
    context.lineTo(4, -2)
    context.lineTo(-4, -2)
    context.fill()
    fillCircle(context, 0, -2, 4, color)
  })
}
