import { seeded } from '../../film/scenes/random.ts'
import type { Palette } from './palettes.ts'

type Attributes = Readonly<Record<string, string | number>>
export type Point = readonly [x: number, y: number]

const round = (value: number) => Math.round(value * 10) / 10
const written = (attributes: Attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? Math.round(value * 1000) / 1000 : value}"`)
    .join('')

/** A picture in progress: its size, colours, random numbers and the shapes drawn so far. */
export class Drawing {
  readonly width: number
  readonly height: number
  readonly palette: Palette
  /** A hundredth of the shorter side, the unit of strokes and small shapes. */
  readonly unit: number
  private readonly random: () => number
  /** Prefix of fill ids, so that nested drawings do not share them. */
  private readonly prefix: string
  private readonly definitions: string[] = []
  private readonly shapes: string[] = []

  constructor(width: number, height: number, palette: Palette, seed: number, prefix = '') {
    this.prefix = prefix
    this.width = width
    this.height = height
    this.palette = palette
    this.unit = Math.min(width, height) / 100
    this.random = seeded(seed * 7919 + 17)
  }

  /** True for posters, false for frames of a screen. */
  get tall(): boolean {
    return this.height > this.width * 1.3
  }

  chance(share = 0.5): boolean {
    return this.random() < share
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.random()
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.random() * items.length)] ?? items[0]
  }

  /** A fill from top to bottom (or left to right, or along `angle` degrees). */
  linear(stops: readonly string[], angle = 90): string {
    const [x, y] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
    const ends = { x1: 0.5 - x / 2, y1: 0.5 - y / 2, x2: 0.5 + x / 2, y2: 0.5 + y / 2 }
    return this.define('linearGradient', ends, stops)
  }

  /** A fill from the middle of the shape outwards. */
  radial(stops: readonly string[]): string {
    return this.define('radialGradient', {}, stops)
  }

  private define(tag: string, attributes: Attributes, stops: readonly string[]): string {
    const id = `${this.prefix}g${this.definitions.length}`
    const inner = stops.map((stop, index) => {
      const [colour = '#000', opacity = '1'] = stop.split('/')
      return `<stop offset="${round((index / (stops.length - 1)) * 100)}%" stop-color="${colour}" stop-opacity="${opacity}"/>`
    })
    this.definitions.push(`<${tag} id="${id}"${written(attributes)}>${inner.join('')}</${tag}>`)
    return `url(#${id})`
  }

  /** A soft shadow of paper on paper, to be given as `filter`. */
  shadow(blur: number, opacity: number, down = blur * 0.6): string {
    const id = `${this.prefix}f${this.definitions.length}`
    this.definitions.push(
      `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="0" dy="${round(down)}" stdDeviation="${round(blur)}" flood-color="${this.palette.ink}" flood-opacity="${opacity}"/></filter>`,
    )
    return `url(#${id})`
  }

  clip(inner: string): string {
    const id = `${this.prefix}c${this.definitions.length}`
    this.definitions.push(`<clipPath id="${id}">${inner}</clipPath>`)
    return `url(#${id})`
  }

  raw(markup: string): void {
    this.shapes.push(markup)
  }

  add(tag: string, attributes: Attributes): void {
    this.shapes.push(`<${tag}${written(attributes)}/>`)
  }

  fill(fill: string): void {
    this.rect(0, 0, this.width, this.height, fill)
  }

  rect(x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): void {
    this.add('rect', { x: round(x), y: round(y), width: round(width), height: round(height), fill, ...more })
  }

  circle(x: number, y: number, r: number, fill: string, more: Attributes = {}): void {
    this.add('circle', { cx: round(x), cy: round(y), r: round(r), fill, ...more })
  }

  ellipse(x: number, y: number, rx: number, ry: number, fill: string, more: Attributes = {}): void {
    this.add('ellipse', { cx: round(x), cy: round(y), rx: round(rx), ry: round(ry), fill, ...more })
  }

  path(d: string, fill: string, more: Attributes = {}): void {
    this.add('path', { d, fill, ...more })
  }

  line(d: string, stroke: string, width: number, more: Attributes = {}): void {
    this.add('path', { d, fill: 'none', stroke, 'stroke-width': width, 'stroke-linecap': 'round', ...more })
  }

  /** A glow: bright in the middle, nothing at the edge. */
  glow(x: number, y: number, r: number, colour: string, opacity: number): void {
    this.circle(x, y, r, this.radial([`${colour}/${opacity}`, `${colour}/${opacity * 0.32}`, `${colour}/0`]))
  }

  /** Small lights strewn over a part of the picture. */
  stars(count: number, bottom: number, colour: string): void {
    for (let index = 0; index < count; index++)
      this.circle(this.between(0, this.width), this.between(0, bottom), this.unit * this.between(0.1, 0.34), colour, {
        opacity: round(this.between(0.3, 0.95)),
      })
  }

  /** A group, moved, turned and scaled; it contains what `draw` adds. */
  group(transform: string, draw: () => void, more: Attributes = {}): void {
    this.shapes.push(`<g${written({ ...(transform && { transform }), ...more })}>`)
    draw()
    this.shapes.push('</g>')
  }

  /** Puts another drawing on this one, cut to a rectangle. */
  inset(inner: Drawing, x: number, y: number): void {
    const frame = this.clip(`<rect x="${round(x)}" y="${round(y)}" width="${inner.width}" height="${inner.height}"/>`)
    this.definitions.push(...inner.definitions)
    this.raw(
      `<g clip-path="${frame}"><g transform="translate(${round(x)} ${round(y)})">${inner.shapes.join('')}</g></g>`,
    )
  }

  svg(): string {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}">`,
      `<defs>${this.definitions.join('')}</defs>`,
      ...this.shapes,
      '</svg>',
    ].join('')
  }
}

/** Straight lines through the points, closed when `closed`. */
export const polyline = (points: readonly Point[], closed = false): string =>
  `${points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')}${closed ? 'Z' : ''}`

/** A smooth line through the points (Catmull and Rom, written as Béziers). */
export function curve(points: readonly Point[], closed = false): string {
  const count = points.length
  const at = (index: number): Point => {
    if (closed) return points[(index + count) % count]!
    return points[Math.min(count - 1, Math.max(0, index))]!
  }
  let d = `M${round(at(0)[0])} ${round(at(0)[1])}`
  for (let index = 0; index < (closed ? count : count - 1); index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    const controls = [
      [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6],
      [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6],
      to,
    ] as const
    d += `C${controls.map(([x, y]) => `${round(x)} ${round(y)}`).join(' ')}`
  }
  return closed ? `${d}Z` : d
}

/** The line from left to right, and everything below it. */
export function below(points: readonly Point[], bottom: number, smooth = true): string {
  const [first, last] = [points[0]!, points.at(-1)!]
  return `${smooth ? curve(points) : polyline(points)}L${round(last[0])} ${bottom}L${round(first[0])} ${bottom}Z`
}

/** A wandering number around zero for each position, the same for the same phase. */
export const swell = (position: number, phase: number): number =>
  Math.sin(position * 1.1 + phase) +
  0.5 * Math.sin(position * 2.3 + phase * 1.7) +
  0.25 * Math.sin(position * 4.9 + phase * 2.9)
