import { mix } from './colour.ts'
import { curve, type Point, polyline } from './drawing.ts'
import type { Scene } from './scene.ts'

/** An editor's window: lines of a program in colours, a cursor, a small answer below. */
export const code: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.mid, palette.deep], 50))
  drawing.circle(width * 0.88, height * 0.12, unit * 26, palette.soft, { opacity: 0.28 })
  drawing.circle(width * 0.1, height * 0.94, unit * 32, palette.accent, { opacity: 0.24 })
  const [left, top] = [width * 0.11, height * 0.16]
  const [wide, tall] = [width * 0.78, height * (drawing.tall ? 0.5 : 0.72)]
  drawing.rect(left, top, wide, tall, mix(palette.ink, '#000000', 0.2), {
    rx: unit * 3,
    filter: drawing.shadow(unit * 3, 0.5),
  })
  for (const [dot, colour] of [palette.accent, palette.soft, palette.mid].entries())
    drawing.circle(left + unit * (5 + dot * 4.6), top + unit * 5, unit * 1.4, colour)
  const rows = Math.floor((tall - unit * 14) / (unit * 6.6))
  let indent = 0
  for (let row = 0; row < rows; row++) {
    const y = top + unit * 12 + row * unit * 6.6
    drawing.rect(left + unit * 4, y, unit * 2.2, unit * 2.2, palette.paper, { opacity: 0.2, rx: unit * 0.5 })
    let x = left + unit * (10 + indent * 6)
    const words = 1 + Math.floor(drawing.between(1, 5))
    for (let word = 0; word < words && x < left + wide - unit * 20; word++) {
      const long = unit * drawing.between(5, 16)
      drawing.rect(
        x,
        y,
        long,
        unit * 2.6,
        drawing.pick([palette.soft, palette.accent, palette.paper, palette.mid, palette.soft]),
        { rx: unit * 1.3, opacity: 0.92 },
      )
      x += long + unit * 2.2
    }
    if (row === rows - 2) drawing.rect(x, y - unit * 1.2, unit * 0.9, unit * 5, palette.accent)
    indent = Math.max(0, Math.min(3, indent + drawing.pick([1, 1, 0, -1])))
  }
  return { place: 'bottom', shade: 'dark' }
}

/** Bars that grow and the curve above them, on squared paper. */
export const chart: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  const light = drawing.chance(0.55)
  const ground = light ? palette.paper : palette.ink
  drawing.fill(ground)
  for (let x = 0; x < width; x += unit * 6)
    drawing.rect(x, 0, unit * 0.15, height, light ? palette.soft : palette.deep, { opacity: 0.7 })
  for (let y = 0; y < height; y += unit * 6)
    drawing.rect(0, y, width, unit * 0.15, light ? palette.soft : palette.deep, { opacity: 0.7 })
  const foot = height * (drawing.tall ? 0.64 : 0.86)
  const bars = drawing.tall ? 7 : 11
  const step = (width * 0.84) / bars
  const rate = drawing.between(0.14, 0.2) * (drawing.tall ? 1.5 : 1)
  const tops: Point[] = []
  for (let bar = 0; bar < bars; bar++) {
    const x = width * 0.08 + bar * step
    const tall = unit * 11 * Math.exp(rate * bar) + unit * drawing.between(0, 5)
    drawing.rect(
      x,
      foot - tall,
      step * 0.66,
      tall,
      drawing.linear([bar === bars - 1 ? palette.accent : palette.mid, palette.deep]),
      { rx: unit * 1.2 },
    )
    tops.push([x + step * 0.33, foot - tall - unit * 6])
  }
  drawing.rect(width * 0.05, foot, width * 0.9, unit * 0.8, light ? palette.ink : palette.paper)
  drawing.line(curve(tops), palette.accent, unit * 1.3)
  for (const [x, y] of tops)
    drawing.circle(x, y, unit * 1.8, ground, { stroke: palette.accent, 'stroke-width': unit * 0.9 })
  const [pieX, pieY, pie] = [width * 0.22, height * 0.24, unit * 13]
  drawing.circle(pieX, pieY, pie, palette.soft)
  drawing.path(
    `M${pieX} ${pieY}V${pieY - pie}A${pie} ${pie} 0 0 1 ${pieX + pie * 0.95} ${pieY + pie * 0.3}Z`,
    palette.accent,
  )
  drawing.circle(pieX, pieY, pie * 0.52, ground)
  return { place: drawing.tall ? 'bottom' : 'top', shade: light ? 'light' : 'dark' }
}

/** Frames of a film, one large above a timeline with its clips. */
export const timeline: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([mix(palette.ink, palette.deep, 0.5), palette.ink]))
  const [left, top, wide] = [width * 0.12, height * (drawing.tall ? 0.1 : 0.09), width * 0.76]
  const tall = drawing.tall ? wide * 0.66 : height * 0.52
  const pane = `<rect x="${left}" y="${top}" width="${wide}" height="${tall}" rx="${unit * 2.4}"/>`
  drawing.group(
    '',
    () => {
      drawing.rect(left, top, wide, tall, drawing.linear([palette.mid, palette.soft, palette.paper]))
      drawing.circle(left + wide * drawing.between(0.3, 0.7), top + tall * 0.5, unit * 11, palette.accent)
      for (let hill = 0; hill < 3; hill++)
        drawing.path(
          `M${left} ${top + tall}V${top + tall * (0.6 + hill * 0.1)}Q${left + wide * (0.2 + hill * 0.12)} ${top + tall * (0.38 + hill * 0.14)} ${left + wide * 0.5} ${top + tall * (0.64 + hill * 0.09)}T${left + wide} ${top + tall * (0.58 + hill * 0.12)}V${top + tall}Z`,
          mix(palette.mid, palette.ink, hill * 0.4),
        )
    },
    { 'clip-path': drawing.clip(pane) },
  )
  const play = [left + wide / 2, top + tall / 2] as const
  drawing.circle(play[0], play[1], unit * 8, palette.paper, { opacity: 0.94 })
  drawing.path(
    polyline(
      [
        [play[0] - unit * 2.4, play[1] - unit * 3.8],
        [play[0] + unit * 4.2, play[1]],
        [play[0] - unit * 2.4, play[1] + unit * 3.8],
      ],
      true,
    ),
    palette.ink,
  )
  const tracks = top + tall + unit * 7
  for (let track = 0; track < 3; track++) {
    let x = width * 0.06
    while (x < width * 0.94) {
      const long = Math.min(unit * drawing.between(12, 34), width * 0.94 - x)
      if (drawing.chance(0.86))
        drawing.rect(
          x,
          tracks + track * unit * 9,
          long - unit,
          unit * 7,
          [palette.mid, palette.soft, palette.accent][track] ?? palette.mid,
          { rx: unit * 1.2, opacity: track === 2 ? 0.75 : 0.95 },
        )
      x += long
    }
  }
  const head = width * drawing.between(0.35, 0.6)
  drawing.rect(head, tracks - unit * 4, unit * 0.8, unit * 32, palette.paper)
  drawing.path(
    polyline(
      [
        [head - unit * 2, tracks - unit * 5],
        [head + unit * 2.8, tracks - unit * 5],
        [head + unit * 0.4, tracks - unit * 1.6],
      ],
      true,
    ),
    palette.paper,
  )
  return { place: 'bottom', shade: 'dark' }
}
