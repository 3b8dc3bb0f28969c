import { mix } from './colour.ts'
import { type Drawing, polyline } from './drawing.ts'
import type { Scene } from './scene.ts'

/** Three rows of towers at dusk with lit windows. */
export const skyline: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.ink, palette.deep, palette.mid, palette.soft]))
  const [sunX, sunY] = [width * drawing.between(0.3, 0.7), height * 0.5]
  drawing.circle(
    sunX,
    sunY,
    unit * drawing.between(15, 24),
    drawing.linear([palette.accent, mix(palette.accent, palette.mid, 0.7)]),
  )
  drawing.stars(26, height * 0.3, palette.paper)
  for (let row = 0; row < 3; row++) towers(drawing, row)
  return { place: drawing.chance(0.4) ? 'top' : 'bottom', shade: 'dark' }
}

function towers(drawing: Drawing, row: number): void {
  const { width, height, unit, palette } = drawing
  const wall = mix(mix(palette.mid, palette.deep, 0.4 + row * 0.3), palette.ink, row * 0.45)
  const lamp = row === 2 ? palette.accent : mix(palette.accent, palette.paper, 0.4)
  const pane = unit * (0.9 + row * 0.35)
  let x = -unit * 3
  while (x < width) {
    const wide = unit * drawing.between(7, 13 + row * 4)
    const tall = height * drawing.between(0.42 - row * 0.11, 0.6 - row * 0.13)
    const top = height - tall
    drawing.rect(x, top, wide, tall, wall)
    if (drawing.chance(0.3))
      drawing.line(
        polyline([
          [x + wide / 2, top],
          [x + wide / 2, top - unit * 6],
        ]),
        wall,
        unit * 0.5,
      )
    if (drawing.chance(0.25))
      drawing.path(
        polyline(
          [
            [x, top],
            [x + wide, top - unit * 4],
            [x + wide, top],
          ],
          true,
        ),
        wall,
      )
    for (let y = top + pane * 1.6; y < height - pane; y += pane * 2.4)
      for (let at = x + pane; at < x + wide - pane * 1.4; at += pane * 1.9)
        if (drawing.chance(0.36))
          drawing.rect(at, y, pane, pane * 1.25, lamp, { opacity: Math.round(drawing.between(0.3, 0.95) * 100) / 100 })
    x += wide + unit * drawing.between(0, 1.5)
  }
}

/** Arches and stairs, one inside the other, in flat evening light. */
export const arches: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([mix(palette.soft, palette.paper, 0.3), palette.soft]))
  drawing.circle(width * drawing.between(0.62, 0.8), height * 0.2, unit * 9, palette.paper)
  const steps = drawing.tall ? 4 : 5
  const middle = width * drawing.between(0.44, 0.56)
  for (let arch = 0; arch < steps; arch++) {
    const half = (width * (drawing.tall ? 0.46 : 0.36) * (steps - arch)) / steps
    const spring = height * (0.44 + arch * 0.075)
    const wall = arch % 2 ? palette.soft : palette.mid
    drawing.path(
      `M${middle - half} ${height}V${spring}A${half} ${half} 0 0 1 ${middle + half} ${spring}V${height}Z`,
      mix(wall, palette.ink, arch * 0.1),
    )
    drawing.path(
      `M${middle} ${spring - half}A${half} ${half} 0 0 1 ${middle + half} ${spring}V${height}H${middle + half * 0.82}V${spring}A${half * 0.82} ${half} 0 0 0 ${middle} ${spring - half}Z`,
      palette.ink,
      { opacity: 0.2 },
    )
  }
  const door = width * (drawing.tall ? 0.075 : 0.05)
  drawing.path(
    `M${middle - door} ${height}V${height * 0.78}A${door} ${door} 0 0 1 ${middle + door} ${height * 0.78}V${height}Z`,
    palette.accent,
  )
  for (let stair = 0; stair < 6; stair++)
    drawing.rect(
      middle - door - unit * (2 + stair * 3),
      height - unit * (13 - stair * 2.2),
      door * 2 + unit * (4 + stair * 6),
      unit * 2.3,
      mix(palette.paper, palette.soft, stair / 6),
    )
  const cypress = middle - width * 0.33
  drawing.ellipse(cypress, height * 0.76, unit * 4, unit * 17, palette.deep)
  drawing.ellipse(middle + width * 0.36, height * 0.82, unit * 3.2, unit * 13, palette.deep)
  drawing.rect(0, height - unit * 5, width, unit * 5, palette.deep)
  return { place: 'top', shade: 'light' }
}

/** Tiled roofs with lifted corners under a moon, in mist. */
export const roofs: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([mix(palette.paper, palette.soft, 0.35), palette.paper]))
  const moonX = width * drawing.between(0.25, 0.75)
  drawing.circle(moonX, height * 0.27, unit * drawing.between(10, 15), palette.accent)
  for (let row = 0; row < 3; row++) {
    const y = height * (0.5 + row * 0.19)
    const wide = unit * (52 + row * 20)
    const shift = drawing.between(-0.15, 0.15) * width
    const tile = mix(palette.soft, palette.ink, 0.28 + row * 0.33)
    for (let house = -2; house <= 2; house++) roof(drawing, width / 2 + shift + house * wide * 1.06, y, wide, tile)
    drawing.rect(
      0,
      y + unit * 14,
      width,
      height,
      drawing.linear([`${palette.paper}/0`, `${palette.paper}/${row === 2 ? 0.15 : 0.75}`]),
    )
  }
  return { place: 'top', shade: 'light' }
}

function roof(drawing: Drawing, x: number, y: number, wide: number, colour: string): void {
  const { unit, palette } = drawing
  const half = wide / 2
  drawing.rect(x - half * 0.7, y, wide * 0.7, unit * 40, mix(palette.paper, colour, 0.24))
  for (const post of [-0.62, -0.22, 0.2, 0.6])
    drawing.rect(x + half * post, y, unit * 1.5, unit * 40, mix(colour, palette.accent, 0.2))
  drawing.path(
    `M${x - half} ${y - unit * 1.5}Q${x - half * 0.62} ${y - unit * 3} ${x - half * 0.5} ${y - unit * 15}Q${x} ${y - unit * 13} ${x + half * 0.5} ${y - unit * 15}Q${x + half * 0.62} ${y - unit * 3} ${x + half} ${y - unit * 1.5}L${x + half * 0.94} ${y + unit * 2}Q${x} ${y + unit * 5.4} ${x - half * 0.94} ${y + unit * 2}Z`,
    colour,
  )
  for (let rib = -6; rib <= 6; rib++)
    drawing.line(
      `M${x + (half * 0.46 * rib) / 6} ${y - unit * 13.6}Q${x + (half * 0.54 * rib) / 6} ${y - unit * 4} ${x + (half * 0.86 * rib) / 6} ${y + unit * 2.6}`,
      mix(colour, palette.paper, 0.3),
      unit * 0.35,
    )
  drawing.line(
    `M${x - half * 0.52} ${y - unit * 15.6}Q${x} ${y - unit * 13.4} ${x + half * 0.52} ${y - unit * 15.6}`,
    mix(colour, palette.ink, 0.4),
    unit * 1.5,
  )
}

/** A cinema at night: the sign, the bulbs and the lit doors. */
export const cinema: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.ink, palette.deep]))
  const middle = width / 2
  const half = Math.min(width * 0.4, unit * 58)
  const sign = height * (drawing.tall ? 0.33 : 0.42)
  drawing.glow(middle, sign, unit * 74, palette.mid, 0.75)
  drawing.rect(middle - half, sign - unit * 26, half * 2, height, mix(palette.deep, palette.mid, 0.3))
  for (let fin = 0; fin < 5; fin++)
    drawing.rect(
      middle - unit * (2.2 + fin * 3.2),
      sign - unit * (46 - fin * 6),
      unit * (4.4 + fin * 6.4),
      unit * 46,
      mix(palette.mid, palette.deep, fin / 5),
      { rx: unit * 1.6 },
    )
  drawing.rect(middle - half * 1.08, sign, half * 2.16, unit * 16, palette.paper, { rx: unit })
  drawing.rect(middle - half * 1.08, sign, half * 2.16, unit * 16, 'none', {
    rx: unit,
    stroke: palette.accent,
    'stroke-width': unit * 1.6,
  })
  for (let letter = 0; letter < 9; letter++)
    drawing.rect(
      middle - half * 0.9 + (letter * half * 1.8) / 9,
      sign + unit * 4.5,
      unit * drawing.between(2.4, 5),
      unit * 7,
      drawing.pick([palette.ink, palette.ink, palette.mid]),
      { rx: unit * 0.4 },
    )
  const bulbs = 21
  for (let bulb = 0; bulb < bulbs; bulb++) {
    const x = middle - half * 1.05 + (bulb * half * 2.1) / (bulbs - 1)
    drawing.circle(x, sign + unit * 19, unit * 1.05, bulb % 2 ? palette.accent : palette.paper)
  }
  const floor = height * (drawing.tall ? 0.72 : 0.86)
  drawing.path(
    polyline(
      [
        [middle - half * 0.5, sign + unit * 22],
        [middle + half * 0.5, sign + unit * 22],
        [middle + half * 1.2, height],
        [middle - half * 1.2, height],
      ],
      true,
    ),
    palette.accent,
    { opacity: 0.2 },
  )
  for (const door of [-1, 0, 1]) {
    drawing.rect(
      middle + door * half * 0.5 - half * 0.18,
      sign + unit * 23,
      half * 0.36,
      floor - sign - unit * 23,
      drawing.linear([palette.accent, palette.soft]),
      { rx: unit },
    )
    drawing.rect(
      middle + door * half * 0.5 - unit * 0.3,
      sign + unit * 23,
      unit * 0.6,
      floor - sign - unit * 23,
      palette.deep,
    )
  }
  drawing.rect(0, floor, width, height - floor, drawing.linear([palette.deep, palette.ink]))
  return { place: 'bottom', shade: 'dark' }
}
