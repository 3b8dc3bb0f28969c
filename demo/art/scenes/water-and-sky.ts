import { mix } from './colour.ts'
import { below, type Drawing, type Point, polyline, swell } from './drawing.ts'
import type { Scene } from './scene.ts'

/** A night sea in bands under a moon, its light broken on the water, and one small boat. */
export const waves: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const horizon = height * 0.42
  drawing.fill(drawing.linear([palette.ink, palette.deep, mix(palette.mid, palette.soft, 0.3)]))
  drawing.stars(70, horizon, palette.paper)
  const [moonX, moonY, moon] = [
    width * drawing.between(0.25, 0.75),
    height * drawing.between(0.15, 0.24),
    unit * drawing.between(7, 12),
  ]
  drawing.glow(moonX, moonY, moon * 4.5, palette.paper, 0.6)
  drawing.circle(moonX, moonY, moon, palette.paper)
  const bands = 9
  const boat = 2
  for (let band = 0; band < bands; band++) {
    const top = horizon + ((height - horizon) * band) / bands
    const high = unit * (0.8 + band * 0.55)
    const line = Array.from({ length: 41 }, (_, step): Point => {
      const share = step / 40
      return [width * share, top + high * swell(share * (width / unit / 100) * (9 - band * 0.5), band * 2.7)]
    })
    const near = mix(mix(palette.mid, palette.soft, 0.25), palette.ink, band / bands)
    drawing.path(below(line, height), drawing.linear([near, mix(near, palette.deep, 0.7)]))
    for (let gleam = 0; gleam < 9; gleam++) {
      const wide = unit * drawing.between(1, 3 + band)
      const x = moonX + drawing.between(-1, 1) * unit * (4 + band * 3.4)
      drawing.rect(x - wide / 2, top + drawing.between(high, high + unit * 5), wide, unit * 0.42, palette.paper, {
        opacity: 0.62 - band * 0.05,
        rx: unit * 0.2,
      })
    }
    if (band === boat) sail(drawing, width * (moonX > width / 2 ? 0.3 : 0.68), top + unit * 3)
  }
  return { place: 'bottom', shade: 'dark' }
}

function sail(drawing: Drawing, x: number, y: number): void {
  const { unit, palette } = drawing
  drawing.path(`M${x - unit * 6} ${y}h${unit * 13}l${-unit * 2.6} ${unit * 3}h${-unit * 8}Z`, palette.ink)
  drawing.path(`M${x} ${y - unit * 0.8}v${-unit * 14}q${unit * 6} ${unit * 7} ${unit * 6} ${unit * 14}Z`, palette.paper)
  drawing.path(
    `M${x - unit * 0.8} ${y - unit * 0.8}v${-unit * 12}q${-unit * 4} ${unit * 7} ${-unit * 4.4} ${unit * 12}Z`,
    palette.accent,
  )
}

/** Paper lanterns rising over dark hills. */
export const lanterns: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.ink, palette.deep, mix(palette.deep, palette.mid, 0.7)]))
  drawing.stars(50, height * 0.6, palette.paper)
  const count = drawing.tall ? 15 : 16
  const lights = Array.from({ length: count }, (_, index) => ({
    x: width * (((index * 0.618) % 1) * 0.92 + 0.04),
    y: height * (0.05 + drawing.between(0, 0.68)),
    size: unit * (2 + 7 * (index / count) ** 1.6),
  }))
  for (const { x, y, size } of lights) {
    drawing.glow(x, y, size * 3.6, palette.accent, 0.5)
    drawing.path(
      `M${x - size * 0.72} ${y - size}Q${x} ${y - size * 1.5} ${x + size * 0.72} ${y - size}L${x + size * 0.52} ${y + size * 1.1}H${x - size * 0.52}Z`,
      drawing.linear([mix(palette.mid, palette.accent, 0.35), palette.accent, mix(palette.accent, palette.paper, 0.8)]),
    )
    drawing.rect(x - size * 0.52, y + size * 1.05, size * 1.04, size * 0.14, palette.mid)
  }
  const phase = drawing.between(0, 30)
  for (let hill = 0; hill < 2; hill++) {
    const line = Array.from(
      { length: 21 },
      (_, step): Point => [
        (width * step) / 20,
        height * (0.84 + hill * 0.07) - unit * 3.5 * swell((step / 20) * (4 + hill * 2), phase + hill * 5),
      ],
    )
    drawing.path(below(line, height), mix(palette.deep, palette.ink, 0.5 + hill * 0.5))
  }
  return { place: 'bottom', shade: 'dark' }
}

/** A ringed planet, its moons on their paths, and a comet. */
export const orbit: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.ink, palette.deep], drawing.between(40, 140)))
  drawing.stars(130, height, palette.paper)
  const [x, y] = [width * drawing.between(0.42, 0.62), height * (drawing.tall ? 0.4 : 0.5)]
  const size = unit * drawing.between(19, 25)
  const tilt = drawing.between(-28, 28)
  drawing.glow(x, y, size * 2.3, palette.mid, 0.7)
  drawing.group(`translate(${x} ${y}) rotate(${tilt})`, () => {
    for (let path = 5; path > 0; path--)
      drawing.ellipse(0, 0, size * (1.7 + path * 0.62), size * (0.5 + path * 0.2), 'none', {
        stroke: palette.soft,
        'stroke-width': unit * 0.22,
        'stroke-opacity': 0.45,
        ...(path % 2 && { 'stroke-dasharray': `${unit} ${unit * 1.3}` }),
      })
    drawing.circle(0, 0, size, drawing.linear([palette.paper, palette.soft, palette.mid, palette.deep], 55))
    for (let band = 0; band < 4; band++)
      drawing.path(
        `M${-size * Math.cos(0.9 - band * 0.45)} ${-size * Math.sin(0.9 - band * 0.45)}Q0 ${-size * Math.sin(0.9 - band * 0.45) + size * 0.34} ${size * Math.cos(0.9 - band * 0.45)} ${-size * Math.sin(0.9 - band * 0.45)}`,
        'none',
        { stroke: palette.accent, 'stroke-width': unit * (0.6 + 0.5 * (band % 2)), 'stroke-opacity': 0.5 },
      )
    for (let ring = 0; ring < 4; ring++) {
      const reach = size * (1.36 + ring * 0.16)
      drawing.line(
        `M${-reach} 0A${reach} ${reach * 0.27} 0 0 0 ${reach} 0`,
        mix(palette.accent, palette.paper, ring * 0.25),
        unit * (1.9 - ring * 0.35),
        {
          opacity: 0.92 - ring * 0.12,
        },
      )
      drawing.line(
        `M${-reach} 0A${reach} ${reach * 0.27} 0 0 1 ${-size * 0.96} ${-reach * 0.16}M${size * 0.96} ${-reach * 0.16}A${reach} ${reach * 0.27} 0 0 1 ${reach} 0`,
        palette.mid,
        unit * 0.7,
      )
    }
    for (let moon = 0; moon < 3; moon++) {
      const [path, angle] = [2 + moon * 1.3, drawing.between(0.1, 6.2)]
      drawing.circle(
        Math.cos(angle) * size * (1.7 + path * 0.62),
        Math.sin(angle) * size * (0.5 + path * 0.2),
        unit * (2.4 - moon * 0.5),
        palette.paper,
      )
    }
  })
  const [cometX, cometY] = [width * 0.14, height * 0.13]
  drawing.path(
    polyline(
      [
        [cometX, cometY],
        [cometX + unit * 24, cometY - unit * 7],
        [cometX + unit * 0.4, cometY + unit * 1.2],
      ],
      true,
    ),
    drawing.linear([`${palette.paper}/0.9`, `${palette.paper}/0`], 0),
  )
  drawing.circle(cometX, cometY + unit * 0.5, unit * 0.9, palette.paper)
  return { place: 'bottom', shade: 'dark' }
}

/** A lighthouse on its rock, the beam across the night. */
export const lighthouse: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.ink, palette.deep, palette.mid]))
  drawing.stars(60, height * 0.6, palette.paper)
  const right = drawing.chance()
  drawing.group(right ? `translate(${width} 0) scale(-1 1)` : '', () => {
    const [x, lamp, foot] = [width * 0.3, height * 0.26, height * 0.72]
    drawing.path(
      polyline(
        [
          [x, lamp],
          [width * 1.1, lamp - unit * 26],
          [width * 1.1, lamp + unit * 14],
        ],
        true,
      ),
      drawing.linear([`${palette.accent}/0.85`, `${palette.accent}/0.05`], 0),
    )
    drawing.glow(x, lamp, unit * 22, palette.accent, 0.9)
    const [topHalf, footHalf] = [unit * 4, unit * 7]
    drawing.path(
      polyline(
        [
          [x - topHalf, lamp + unit * 4],
          [x + topHalf, lamp + unit * 4],
          [x + footHalf, foot],
          [x - footHalf, foot],
        ],
        true,
      ),
      drawing.linear([palette.paper, palette.soft], 0),
    )
    for (let stripe = 0; stripe < 3; stripe++) {
      const share = (low: number) => topHalf + (footHalf - topHalf) * low
      const [from, to] = [0.14 + stripe * 0.3, 0.28 + stripe * 0.3]
      const y = (part: number) => lamp + unit * 4 + (foot - lamp - unit * 4) * part
      drawing.path(
        polyline(
          [
            [x - share(from), y(from)],
            [x + share(from), y(from)],
            [x + share(to), y(to)],
            [x - share(to), y(to)],
          ],
          true,
        ),
        palette.accent,
      )
    }
    drawing.rect(x - unit * 3, lamp - unit * 3, unit * 6, unit * 7, palette.paper)
    drawing.rect(x - unit * 5.4, lamp + unit * 3.2, unit * 10.8, unit * 1.5, palette.ink)
    drawing.path(
      polyline(
        [
          [x - unit * 4.4, lamp - unit * 3],
          [x, lamp - unit * 9],
          [x + unit * 4.4, lamp - unit * 3],
        ],
        true,
      ),
      palette.ink,
    )
    const rock: Point[] = [
      [-20, height * 0.82],
      [width * 0.1, height * 0.73],
      [width * 0.24, foot - unit],
      [width * 0.38, foot + unit],
      [width * 0.5, height * 0.8],
      [width * 0.62, height * 0.9],
    ]
    drawing.path(below(rock, height, false), palette.ink)
  })
  for (let band = 0; band < 4; band++) {
    const line = Array.from(
      { length: 31 },
      (_, step): Point => [
        (width * step) / 30,
        height * (0.81 + band * 0.05) + unit * 1.2 * swell((step / 30) * (11 - band), band * 3.3),
      ],
    )
    drawing.path(below(line, height), mix(mix(palette.deep, palette.mid, 0.5), palette.ink, (band + 1) / 4.4))
  }
  return { place: 'bottom', shade: 'dark' }
}

/** Sheets of paper cut into each other, the light at the bottom of the well. */
export const paperCut: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.paper, palette.accent]))
  const [x, y] = [width * drawing.between(0.4, 0.6), height * (drawing.tall ? 0.42 : 0.5)]
  drawing.glow(x, y, unit * 40, palette.paper, 0.9)
  drawing.circle(x, y + unit * 2, unit * 9, palette.paper)
  const sheets = 6
  const phase = drawing.between(0, 20)
  const shadow = drawing.shadow(unit * 1.6, 0.55)
  for (let sheet = 0; sheet < sheets; sheet++) {
    const reach = unit * (20 + sheet * 8.5)
    const hole = Array.from({ length: 36 }, (_, step) => {
      const angle = (-step / 36) * Math.PI * 2
      const wobble = 1 + 0.13 * Math.sin(angle * 3 + phase + sheet * 0.9) + 0.07 * Math.sin(angle * 5 - phase + sheet)
      return `${step === 0 ? 'M' : 'L'}${(x + Math.cos(angle) * reach * wobble * (drawing.tall ? 1 : 1.5)).toFixed(1)} ${(y + Math.sin(angle) * reach * wobble).toFixed(1)}`
    }).join('')
    const tone = sheet / (sheets - 1)
    const colour = tone < 0.5 ? mix(palette.soft, palette.mid, tone * 2) : mix(palette.mid, palette.ink, tone * 2 - 1)
    drawing.path(
      `M${-unit * 20} ${-unit * 20}H${width + unit * 20}V${height + unit * 20}H${-unit * 20}Z${hole}Z`,
      colour,
      {
        'fill-rule': 'evenodd',
        filter: shadow,
      },
    )
    if (sheet === 1 || sheet === 3) {
      const foot = y + reach * 0.78
      const lean = unit * (sheet === 1 ? 5 : 8)
      for (const at of [-0.34, 0.1, 0.42]) {
        const stem = x + reach * at
        drawing.path(
          polyline(
            [
              [stem, foot - lean * 3],
              [stem - lean, foot + lean],
              [stem + lean, foot + lean],
            ],
            true,
          ),
          colour,
        )
      }
    }
  }
  return { place: 'bottom', shade: 'dark' }
}
