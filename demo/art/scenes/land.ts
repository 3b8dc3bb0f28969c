import { mix } from './colour.ts'
import { below, type Drawing, type Point, polyline, swell } from './drawing.ts'
import type { Scene } from './scene.ts'

const across = (drawing: Drawing, steps: number, height: (share: number) => number): Point[] =>
  Array.from({ length: steps + 1 }, (_, step) => [(drawing.width * step) / steps, height(step / steps)] as const)

/** Mountains behind mountains, a low sun, birds, and pines on the nearest slope. */
export const ridges: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([mix(palette.deep, palette.mid, 0.3), palette.mid, palette.soft, palette.accent]))
  const [sunX, sunY] = [width * drawing.between(0.25, 0.75), height * drawing.between(0.36, 0.46)]
  drawing.glow(sunX, sunY, unit * 55, palette.paper, 0.75)
  drawing.circle(sunX, sunY, unit * drawing.between(7, 13), palette.paper)
  const layers = 6
  const phase = drawing.between(0, 50)
  for (let layer = 0; layer < layers; layer++) {
    const depth = layer / (layers - 1)
    const base = height * (0.46 + 0.085 * layer)
    const sharp = width / unit / 100
    const line = across(drawing, 46, (share) => {
      const peaks = swell(share * sharp * (3.4 + layer * 0.6), phase + layer * 9.1)
      return base - unit * (7 + 1.4 * layer) * peaks * (0.7 + 0.3 * Math.sin(share * 40 + layer * 3) ** 2)
    })
    const colour = mix(mix(palette.mid, palette.soft, 0.45), palette.ink, depth ** 0.75)
    drawing.path(below(line, height, layer > 2), drawing.linear([colour, mix(colour, palette.soft, 0.2 * (1 - depth))]))
    if (layer === layers - 1) pines(drawing, line, mix(palette.ink, '#000000', 0.25))
  }
  birds(drawing, sunX + unit * 14, sunY - unit * 12, palette.ink)
  return { place: 'bottom', shade: 'dark' }
}

function pines(drawing: Drawing, line: readonly Point[], colour: string): void {
  const { unit } = drawing
  for (const [x, y] of line) {
    if (drawing.chance(0.35)) continue
    const tree = unit * drawing.between(4, 10)
    const shift = drawing.between(-unit * 2, unit * 2)
    for (let tier = 0; tier < 3; tier++) {
      const top = y - tree + (tree * tier) / 3.6
      const half = tree * (0.1 + 0.07 * tier)
      drawing.path(
        polyline(
          [
            [x + shift, top],
            [x + shift - half, top + tree * 0.44],
            [x + shift + half, top + tree * 0.44],
          ],
          true,
        ),
        colour,
      )
    }
    drawing.rect(x + shift - unit * 0.2, y - unit, unit * 0.4, unit * 3, colour)
  }
}

function birds(drawing: Drawing, x: number, y: number, colour: string): void {
  const { unit } = drawing
  for (let bird = 0; bird < 5; bird++) {
    const [left, top, wing] = [x + bird * unit * 4.4, y - unit * drawing.between(0, 7), unit * drawing.between(1, 1.9)]
    drawing.line(
      `M${left} ${top}q${wing * 0.5} ${-wing * 0.7} ${wing} 0q${wing * 0.5} ${-wing * 0.7} ${wing} 0`,
      colour,
      unit * 0.32,
    )
  }
}

/** Sand in long edges of light and shade, a large sun, somebody walking. */
export const dunes: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(
    drawing.linear([mix(palette.accent, palette.deep, 0.35), mix(palette.accent, palette.paper, 0.45), palette.paper]),
  )
  const [sunX, sunY] = [width * drawing.between(0.55, 0.75), height * 0.36]
  drawing.circle(sunX, sunY, unit * drawing.between(13, 19), drawing.linear([palette.paper, palette.soft]))
  const mirrored = drawing.chance()
  drawing.group(mirrored ? `translate(${width} 0) scale(-1 1)` : '', () => {
    for (let dune = 0; dune < 5; dune++) {
      const top = height * (0.43 + 0.105 * dune)
      const crest = width * drawing.between(0.15, 0.85)
      const rise = unit * drawing.between(7, 16)
      const edge: Point[] = [
        [-10, top + rise * 0.9],
        [crest * 0.5, top + rise * 0.35],
        [crest, top - rise * 0.5],
        [crest + (width - crest) * 0.45, top + rise * 0.5],
        [width + 10, top + rise * 0.75],
      ]
      const light = mix(palette.soft, palette.mid, dune / 5)
      drawing.path(below(edge, height), drawing.linear([light, mix(light, palette.mid, 0.6)]))
      const foot: Point = [crest - unit * drawing.between(10, 24), height]
      drawing.path(
        `M${crest} ${top - rise * 0.5}C${crest + unit * 5} ${top + rise} ${crest - unit * 9} ${top + rise * 1.6} ${foot[0]} ${height}L${width + 10} ${height}L${width + 10} ${edge[4]![1]}L${edge[3]![0]} ${edge[3]![1]}Z`,
        mix(mix(palette.mid, palette.deep, 0.35 + dune * 0.1), palette.ink, dune * 0.06),
        { opacity: 0.85 },
      )
      if (dune === 2) walkers(drawing, crest, top - rise * 0.5, palette.ink)
    }
  })
  return { place: 'bottom', shade: 'dark' }
}

function walkers(drawing: Drawing, x: number, y: number, colour: string): void {
  const { unit } = drawing
  for (let walker = 0; walker < 3; walker++) {
    const [left, size] = [x - unit * 4.4 * walker, unit * (3.2 - 0.3 * walker)]
    const foot = y + unit * 0.7 * walker
    drawing.circle(left, foot - size * 1.25, size * 0.2, colour)
    drawing.path(
      `M${left - size * 0.22} ${foot}L${left - size * 0.1} ${foot - size}h${size * 0.22}L${left + size * 0.3} ${foot}Z`,
      colour,
    )
  }
}

/** A road that runs to the horizon between fields, with poles along it. */
export const road: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const horizon = height * 0.5
  drawing.fill(drawing.linear([palette.deep, palette.mid, palette.soft, palette.paper]))
  const vanish = width * drawing.between(0.35, 0.65)
  drawing.glow(vanish, horizon, unit * 60, palette.paper, 0.8)
  drawing.circle(vanish + unit * 4, horizon - unit * 2, unit * 9, palette.accent)
  const hills = across(drawing, 24, (share) => horizon - unit * (2 + 2.2 * (1 + swell(share * 5, vanish))))
  drawing.path(below(hills, height), mix(palette.mid, palette.deep, 0.55))
  drawing.rect(0, horizon, width, height - horizon, drawing.linear([mix(palette.mid, palette.deep, 0.5), palette.ink]))
  for (let furrow = -16; furrow <= 16; furrow++)
    drawing.line(
      polyline([
        [vanish, horizon],
        [vanish + furrow * unit * 22, height],
      ]),
      palette.soft,
      unit * 0.25,
      { opacity: 0.22 },
    )
  const reach = unit * 46
  drawing.path(
    polyline(
      [
        [vanish - unit * 0.4, horizon],
        [vanish + unit * 0.4, horizon],
        [vanish + reach, height],
        [vanish - reach, height],
      ],
      true,
    ),
    drawing.linear([palette.deep, mix(palette.ink, '#000000', 0.3)]),
  )
  for (let dash = 0; dash < 7; dash++) {
    const [near, far] = [((dash + 0.6) / 7) ** 2.2, ((dash + 0.05) / 7) ** 2.2]
    const [top, bottom] = [horizon + (height - horizon) * far, horizon + (height - horizon) * near]
    drawing.path(
      polyline(
        [
          [vanish - unit * 1.6 * far, top],
          [vanish + unit * 1.6 * far, top],
          [vanish + unit * 1.6 * near, bottom],
          [vanish - unit * 1.6 * near, bottom],
        ],
        true,
      ),
      palette.accent,
    )
  }
  for (let pole = 0; pole < 7; pole++) {
    const near = ((pole + 1) / 7) ** 2
    const x = vanish + reach * 1.12 * near
    const foot = horizon + (height - horizon) * near * 0.85
    const tall = unit * (3 + 62 * near)
    drawing.line(
      polyline([
        [x, foot],
        [x, foot - tall],
      ]),
      palette.ink,
      unit * (0.2 + 1.1 * near),
    )
    drawing.line(
      polyline([
        [x - tall * 0.1, foot - tall * 0.92],
        [x + tall * 0.1, foot - tall * 0.92],
      ]),
      palette.ink,
      unit * (0.2 + 0.8 * near),
    )
  }
  return { place: 'top', shade: 'dark' }
}

/** Height lines around a few summits, like a walker's map, with a route and a flag. */
export const contours: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const light = drawing.chance(0.4)
  drawing.fill(light ? palette.paper : drawing.linear([palette.ink, palette.deep], 60))
  const summits = Array.from({ length: 4 }, (_, index) => ({
    x: width * drawing.between(0.1, 0.9),
    y: height * (0.12 + index * 0.25 + drawing.between(-0.06, 0.06)),
    phase: drawing.between(0, 40),
    rings: 7 + index * 3,
  }))
  for (const { x, y, phase, rings } of summits)
    for (let ring = rings; ring > 0; ring--) {
      const points = Array.from({ length: 40 }, (_, step): Point => {
        const angle = (step / 40) * Math.PI * 2
        const reach =
          unit *
          4.2 *
          ring *
          (1 +
            0.16 * Math.sin(angle * 2 + phase) +
            0.1 * Math.sin(angle * 3 + phase * 2 + ring * 0.12) +
            0.05 * Math.sin(angle * 5 - phase))
        return [x + Math.cos(angle) * reach * 1.15, y + Math.sin(angle) * reach]
      })
      const shade = light
        ? mix(palette.paper, palette.soft, 0.16 + (0.5 * (rings - ring)) / rings)
        : mix(palette.deep, palette.mid, (0.75 * (rings - ring)) / rings)
      drawing.path(`${polyline(points, true)}`, shade, {
        stroke: light ? palette.mid : palette.soft,
        'stroke-width': unit * (ring % 4 === 0 ? 0.42 : 0.18),
        'stroke-opacity': 0.75,
      })
    }
  const stops = summits.map(({ x, y }, index): Point => [x + (index % 2 ? unit * 6 : -unit * 5), y])
  drawing.line(polyline(stops), palette.accent, unit * 0.8, { 'stroke-dasharray': `${unit * 2} ${unit * 1.8}` })
  const [flagX, flagY] = stops[0]!
  drawing.circle(stops.at(-1)![0], stops.at(-1)![1], unit * 1.6, palette.accent)
  drawing.path(`M${flagX} ${flagY}v${-unit * 9}l${unit * 6} ${unit * 2.2}l${-unit * 6} ${unit * 2.2}`, palette.accent, {
    stroke: palette.accent,
    'stroke-width': unit * 0.6,
  })
  return { place: 'bottom', shade: light ? 'light' : 'dark' }
}

/** A window of a train: the frame near and dark, the country far and bright. */
export const window: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const margin = unit * 9
  const [left, top] = [margin, margin]
  const [inner, tall] = [width - margin * 2, height * (drawing.tall ? 0.58 : 0.76)]
  drawing.fill(drawing.linear([mix(palette.ink, palette.deep, 0.4), palette.ink]))
  const pane = `<rect x="${left}" y="${top}" width="${inner}" height="${tall}" rx="${unit * 8}"/>`
  drawing.group(
    '',
    () => {
      drawing.rect(left, top, inner, tall, drawing.linear([palette.mid, palette.soft, palette.paper]))
      const sunX = left + inner * drawing.between(0.2, 0.8)
      drawing.circle(sunX, top + tall * 0.42, unit * 8, palette.accent)
      for (let layer = 0; layer < 4; layer++) {
        const base = top + tall * (0.52 + layer * 0.12)
        const line = across(
          drawing,
          30,
          (share) => base - unit * (3 + layer) * swell(share * (4 + layer * 2), sunX + layer * 7),
        )
        drawing.path(below(line, height), mix(mix(palette.soft, palette.mid, 0.5), palette.deep, layer / 3))
      }
      drawing.path(
        polyline(
          [
            [left + inner * 0.58, top],
            [left + inner * 0.72, top],
            [left + inner * 0.4, top + tall],
            [left + inner * 0.26, top + tall],
          ],
          true,
        ),
        palette.paper,
        { opacity: 0.1 },
      )
    },
    { 'clip-path': drawing.clip(pane) },
  )
  drawing.raw(
    pane.replace('/>', ` fill="none" stroke="${mix(palette.ink, palette.mid, 0.35)}" stroke-width="${unit * 1.6}"/>`),
  )
  const sill = top + tall + unit * 6
  drawing.rect(margin * 0.5, sill, width - margin, unit * 2.2, mix(palette.ink, palette.mid, 0.4), { rx: unit })
  const cup = width * drawing.between(0.6, 0.72)
  drawing.path(`M${cup} ${sill}l${unit * 1.2} ${-unit * 9}h${unit * 7}l${unit * 1.2} ${unit * 9}Z`, palette.accent)
  drawing.line(
    `M${cup + unit * 4} ${sill - unit * 11}q${unit * 3} ${-unit * 4} 0 ${-unit * 8}`,
    palette.paper,
    unit * 0.5,
    { opacity: 0.7 },
  )
  return { place: 'bottom', shade: 'dark' }
}
