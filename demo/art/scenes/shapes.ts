import { mix } from './colour.ts'
import { curve, type Drawing, type Point, polyline } from './drawing.ts'
import type { Scene } from './scene.ts'

/** Quarter circles, discs and triangles on a grid. */
export const tiles: Scene = (drawing) => {
  const { width, height, palette } = drawing
  const side = width / (drawing.tall ? 4 : 8)
  const colours = [palette.deep, palette.mid, palette.soft, palette.accent, palette.paper] as const
  drawing.fill(palette.paper)
  const end = drawing.tall ? side * 4 : height
  for (let y = 0; y < end; y += side)
    for (let x = 0; x < width - 1; x += side) {
      const ground = drawing.pick(colours)
      let shape = drawing.pick(colours)
      if (shape === ground) shape = ground === palette.paper ? palette.ink : palette.paper
      drawing.group(`translate(${x + side / 2} ${y + side / 2}) rotate(${drawing.pick([0, 90, 180, 270])})`, () => {
        drawing.rect(-side / 2, -side / 2, side + 0.5, side + 0.5, ground)
        drawing.pick(TILE_SHAPES)(drawing, side / 2, shape, ground)
      })
    }
  return { place: 'bottom', shade: 'light', clear: drawing.tall }
}

type TileShape = (drawing: Drawing, half: number, shape: string, ground: string) => void

const TILE_SHAPES: readonly [TileShape, ...TileShape[]] = [
  (drawing, half, shape) =>
    drawing.path(`M${-half} ${-half}H${half}A${half * 2} ${half * 2} 0 0 1 ${-half} ${half}Z`, shape),
  (drawing, half, shape) => drawing.circle(0, 0, half * 0.7, shape),
  (drawing, half, shape) =>
    drawing.path(
      polyline(
        [
          [-half, -half],
          [half, -half],
          [-half, half],
        ],
        true,
      ),
      shape,
    ),
  (drawing, half, shape) =>
    drawing.path(
      `M${-half} ${-half}A${half} ${half} 0 0 0 ${half} ${-half}ZM${-half} ${half}A${half} ${half} 0 0 1 ${half} ${half}Z`,
      shape,
    ),
  (drawing, half, shape) =>
    drawing.path(
      `M${-half} ${-half}A${half * 2} ${half * 2} 0 0 1 ${half} ${half}A${half * 2} ${half * 2} 0 0 1 ${-half} ${-half}Z`,
      shape,
    ),
  (drawing, half, shape) => {
    for (const at of [-0.8, -0.2, 0.4]) drawing.rect(-half, half * at, half * 2, half * 0.28, shape)
  },
  (drawing, half, shape, ground) => {
    drawing.circle(0, 0, half * 0.72, shape)
    drawing.circle(0, 0, half * 0.34, ground)
  },
]

/** A vase, a bottle, a bowl and fruit on a table, all in flat planes. */
export const stillLife: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const table = height * (drawing.tall ? 0.58 : 0.72)
  drawing.fill(mix(palette.soft, palette.paper, 0.45))
  drawing.rect(0, 0, width * drawing.between(0.35, 0.65), table, mix(palette.soft, palette.mid, 0.25))
  drawing.circle(width * drawing.between(0.3, 0.7), table - unit * 44, unit * 24, palette.accent, { opacity: 0.9 })
  drawing.rect(0, table, width, height - table, palette.deep)
  drawing.rect(0, table, width, unit * 1.2, palette.ink)
  const middle = width / 2 + unit * drawing.between(-6, 6)
  const vase = (x: number, high: number, wide: number, colour: string) => {
    const [top, foot] = [table - high, table + unit * 4]
    const d = `M${x - wide * 0.22} ${top}C${x - wide * 0.1} ${top + high * 0.3} ${x - wide} ${top + high * 0.35} ${x - wide * 0.62} ${top + high * 0.8}Q${x - wide * 0.45} ${foot} ${x} ${foot}Q${x + wide * 0.45} ${foot} ${x + wide * 0.62} ${top + high * 0.8}C${x + wide} ${top + high * 0.35} ${x + wide * 0.1} ${top + high * 0.3} ${x + wide * 0.22} ${top}Z`
    drawing.path(d, colour)
    drawing.group('', () => drawing.rect(x, top, wide, high + unit * 4, palette.ink, { opacity: 0.22 }), {
      'clip-path': drawing.clip(`<path d="${d}"/>`),
    })
  }
  for (let stem = -2; stem <= 2; stem++) {
    const [x, y] = [
      middle - unit * 14 + stem * unit * 7.5,
      table - unit * (62 + 7 * Math.cos(stem) + drawing.between(0, 6)),
    ]
    drawing.line(
      `M${middle - unit * 14 + stem * unit} ${table - unit * 38}Q${middle - unit * 14 + stem * unit * 3} ${table - unit * 54} ${x} ${y}`,
      palette.deep,
      unit * 0.7,
    )
    drawing.ellipse(x, y, unit * 3.6, unit * 5.6, stem % 2 ? palette.mid : palette.paper, {
      transform: `rotate(${stem * 14} ${x} ${y})`,
    })
  }
  vase(middle - unit * 14, unit * 40, unit * 22, palette.mid)
  vase(middle + unit * 18, unit * 52, unit * 13, palette.deep)
  drawing.path(
    `M${middle + unit * 20} ${table - unit * 11}h${unit * 34}a${unit * 17} ${unit * 16} 0 0 1 ${-unit * 34} 0Z`,
    palette.paper,
  )
  drawing.path(
    `M${middle + unit * 37} ${table - unit * 11}h${unit * 17}a${unit * 17} ${unit * 16} 0 0 1 ${-unit * 17} ${unit * 16}Z`,
    palette.soft,
  )
  const fruit: Point[] = [
    [middle - unit * 38, table + unit * 1],
    [middle - unit * 47, table + unit * 4],
    [middle + unit * 5, table + unit * 6],
  ]
  for (const [index, [x, y]] of fruit.entries()) {
    drawing.circle(x, y - unit * 3, unit * 6.4, index === 1 ? palette.mid : palette.accent)
    drawing.path(`M${x} ${y - unit * 9.4}a${unit * 6.4} ${unit * 6.4} 0 0 1 0 ${unit * 12.8}Z`, palette.ink, {
      opacity: 0.18,
    })
    drawing.line(`M${x} ${y - unit * 9}q${unit} ${-unit * 3} ${unit * 3} ${-unit * 3.4}`, palette.ink, unit * 0.6)
  }
  return { place: 'bottom', shade: 'dark' }
}

/** Stems and leaves, pressed flat, before a disc. */
export const botanical: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const dark = drawing.chance(0.45)
  drawing.fill(dark ? drawing.linear([palette.ink, palette.deep]) : mix(palette.paper, palette.soft, 0.18))
  drawing.circle(width * drawing.between(0.38, 0.62), height * 0.4, unit * 30, dark ? palette.mid : palette.accent, {
    opacity: 0.9,
  })
  const stems = drawing.tall ? 6 : 10
  for (let stem = 0; stem < stems; stem++) {
    const x = width * ((stem + 0.5) / stems) + unit * drawing.between(-4, 4)
    const tall = height * drawing.between(0.4, 0.78)
    const lean = unit * drawing.between(-16, 16)
    const tone = dark ? mix(palette.mid, palette.soft, (stem % 3) / 2) : mix(palette.mid, palette.ink, (stem % 3) / 3)
    const at = (share: number): Point => [x + lean * share * share, height + unit * 2 - tall * share]
    drawing.line(curve([at(0), at(0.35), at(0.7), at(1)]), tone, unit * 0.8)
    const leaves = 9
    for (let leaf = 1; leaf <= leaves; leaf++) {
      const [left, top] = at(0.18 + (0.8 * leaf) / leaves)
      const size = unit * (9.5 - leaf * 0.72)
      const side = leaf % 2 ? 1 : -1
      const angle = side * (52 - leaf * 2)
      drawing.group(`translate(${left} ${top}) rotate(${angle})`, () => {
        if (stem % 3 === 0) drawing.ellipse(0, -size * 0.6, size * 0.27, size * 0.66, tone)
        else if (stem % 3 === 1)
          drawing.path(
            `M0 0C${-size * 0.5} ${-size * 0.4} ${-size * 0.3} ${-size} 0 ${-size * 1.35}C${size * 0.3} ${-size} ${size * 0.5} ${-size * 0.4} 0 0Z`,
            tone,
          )
        else drawing.circle(0, -size * 0.5, size * 0.3, leaf % 3 === 0 ? palette.accent : tone)
      })
    }
  }
  return { place: 'top', shade: dark ? 'dark' : 'light' }
}

/** A head in profile, cut from planes of colour, with a landscape inside. */
export const portrait: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.soft, mix(palette.soft, palette.mid, 0.5)]))
  const size = drawing.tall ? unit * 1.02 : unit * 0.98
  const x = width * (drawing.tall ? 0.5 : drawing.between(0.4, 0.6))
  const y = height * (drawing.tall ? 0.44 : 0.52)
  drawing.circle(x + unit * 8, y - unit * 8, unit * 38, palette.accent)
  const flip = drawing.chance() ? -1 : 1
  const head =
    'M-6 -36C10 -40 25 -32 26 -16C26.500 -11 25.500 -9 27 -5C28 -2 31 2 32 5C32 7 29 7 28 8C28 11 29.500 12 28.500 14C29 16 28.500 17 27.500 18C28 22 27 26 21 26C17 26 14 25 12 27C11 34 14 40 28 46L34 70H-40L-38 50C-28 46 -22 40 -22 28C-30 18 -34 4 -31 -10C-29 -24 -20 -33 -6 -36Z'
  const clip = drawing.clip(`<path d="${head}"/>`)
  drawing.group(`translate(${x} ${y}) scale(${flip * size} ${size})`, () => {
    drawing.path('M-42 90L-36 49C-24 45 -14 43 -4 44C10 45 24 44 30 46C46 50 54 62 58 90L60 140H-60Z', palette.ink)
    drawing.group(
      '',
      () => {
        drawing.rect(-60, -60, 120, 140, drawing.linear([palette.ink, palette.deep, palette.mid]))
        drawing.circle(4, -12, 9, palette.paper)
        for (let layer = 0; layer < 4; layer++) {
          const top = -6 + layer * 10
          const line = Array.from(
            { length: 13 },
            (_, step): Point => [-50 + step * 8, top - 5 * Math.sin(step * (0.9 + layer * 0.2) + layer * 2 + unit)],
          )
          drawing.path(`${curve(line)}L60 90L-60 90Z`, mix(palette.mid, palette.ink, (layer + 1) / 4))
        }
      },
      { 'clip-path': clip },
    )
    drawing.path(
      'M-6 -36C10 -40 25 -32 26 -16C14 -20 8 -14 2 -4C-4 6 -6 12 -10 26L-22 28C-30 18 -34 4 -31 -10C-29 -24 -20 -33 -6 -36Z',
      palette.ink,
      { opacity: drawing.pick([0.5, 0.92]) },
    )
  })
  return { place: 'bottom', shade: 'dark' }
}

/**
 * One enormous letter or figure, half out of the sheet. `size` is in hundredths of the shorter
 * side.
 */
export const letterform =
  (letter: string, family = 'League Spartan', weight = 900, size = 150): Scene =>
  (drawing) => {
    const { width, height, unit, palette } = drawing
    const edge = drawing.tall ? height * 0.64 : height
    const ground = drawing.pick([palette.mid, palette.accent, palette.soft])
    drawing.fill(ground)
    const [x, y] = [width * drawing.between(0.46, 0.56), edge * 0.5 + unit * size * 0.3 + unit * drawing.between(0, 8)]
    drawing.circle(
      width * drawing.between(0.16, 0.84),
      edge * 0.3,
      unit * 24,
      ground === palette.accent ? palette.mid : palette.accent,
    )
    const glyph = (shift: number, fill: string) =>
      drawing.raw(
        `<text x="${x + shift}" y="${y + shift}" font-family="${family}" font-weight="${weight}" font-size="${unit * size}" text-anchor="middle" fill="${fill}">${letter}</text>`,
      )
    glyph(unit * 3.4, mix(ground, palette.ink, 0.35))
    glyph(0, drawing.chance() ? palette.ink : palette.paper)
    if (drawing.tall) drawing.rect(0, edge, width, height - edge, palette.paper)
    return { place: 'bottom', shade: 'light', clear: drawing.tall }
  }
