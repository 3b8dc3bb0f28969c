import type { CanvasGradient } from '@napi-rs/canvas'
import { type Context, HEIGHT, WIDTH } from './scene.ts'

export const TURN = Math.PI * 2

type Paint = string | CanvasGradient

export interface Point {
  readonly x: number
  readonly y: number
}

/** A gradient from `from` to `to` with the colours evenly spaced. */
export function linear(context: Context, from: Point, to: Point, ...colors: string[]): CanvasGradient {
  return spread(context.createLinearGradient(from.x, from.y, to.x, to.y), colors)
}

/** A gradient straight down between two heights. */
export function vertical(context: Context, top: number, bottom: number, ...colors: string[]): CanvasGradient {
  return linear(context, { x: 0, y: top }, { x: 0, y: bottom }, ...colors)
}

/** A gradient from a centre outwards. */
export function radial(context: Context, x: number, y: number, radius: number, ...colors: string[]): CanvasGradient {
  return spread(context.createRadialGradient(x, y, 0, x, y, radius), colors)
}

function spread(gradient: CanvasGradient, colors: string[]): CanvasGradient {
  for (const [index, color] of colors.entries()) gradient.addColorStop(index / (colors.length - 1), color)
  return gradient
}

export function fillFrame(context: Context, paint: Paint): void {
  context.fillStyle = paint
  context.fillRect(0, 0, WIDTH, HEIGHT)
}

export function fillCircle(context: Context, x: number, y: number, radius: number, paint: Paint): void {
  context.fillStyle = paint
  context.beginPath()
  context.arc(x, y, radius, 0, TURN)
  context.fill()
}

export function fillRounded(
  context: Context,
  box: { x: number; y: number; width: number; height: number },
  radius: number,
  paint: Paint,
): void {
  context.fillStyle = paint
  context.beginPath()
  context.roundRect(box.x, box.y, box.width, box.height, radius)
  context.fill()
}

/** Runs `draw` and puts transform, clip, alpha and styles back as they were. */
export function apart(context: Context, draw: () => void): void {
  context.save()
  draw()
  context.restore()
}

export function clamp(value: number, low = 0, high = 1): number {
  return Math.min(high, Math.max(low, value))
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/** How far a stretch of time has come, 0 before `start` and 1 after `start + length`. */
export function progress(seconds: number, start: number, length: number): number {
  return clamp((seconds - start) / length)
}

/** Slow at both ends. */
export function ease(share: number): number {
  return share * share * (3 - 2 * share)
}

/** Quick at first, then coming to rest. */
export function easeOut(share: number): number {
  return 1 - (1 - share) ** 3
}

/** The remainder that is never negative: -1 wraps to `length - 1`. */
export function wrap(value: number, length: number): number {
  return ((value % length) + length) % length
}
