import { mix } from './colour.ts'
import { curve, type Drawing, type Point, polyline } from './drawing.ts'
import type { Scene } from './scene.ts'

/** Bamboo in ink, dry at the edges, and a red seal. */
export const brush: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.paper, mix(palette.paper, palette.soft, 0.4)]))
  const stroke = (points: readonly Point[], thick: number, opacity: number) => {
    for (let hair = -3; hair <= 3; hair++)
      drawing.line(
        curve(points.map(([x, y]) => [x + hair * thick * 0.13, y + hair * thick * 0.1])),
        palette.ink,
        thick * (0.5 - Math.abs(hair) * 0.07),
        {
          opacity: opacity * (1 - Math.abs(hair) * 0.16),
        },
      )
  }
  if (drawing.chance(0.3)) {
    const [x, y, reach] = [width * 0.5, height * 0.44, unit * 30]
    const round = Array.from({ length: 26 }, (_, step): Point => {
      const angle = (step / 27) * Math.PI * 2 - 2
      return [x + Math.cos(angle) * reach * (1 + step * 0.002), y + Math.sin(angle) * reach]
    })
    stroke(round, unit * 9, 0.85)
  } else {
    for (let cane = 0; cane < 3; cane++) {
      const foot = width * (0.28 + cane * 0.2 + drawing.between(-0.04, 0.04))
      const lean = unit * drawing.between(-6, 6)
      const thick = unit * (5.6 - cane * 1.4)
      for (let joint = 0; joint < 6; joint++) {
        const [from, to] = [height - (height * joint) / 5.4, height - (height * (joint + 0.92)) / 5.4]
        stroke(
          [
            [foot + lean * joint * 0.4, from],
            [foot + lean * (joint + 0.92) * 0.4, to],
          ],
          thick,
          0.82 - cane * 0.25,
        )
        if (joint > 1 && drawing.chance(0.8)) leaves(drawing, foot + lean * joint * 0.4, from, 0.9 - cane * 0.22)
      }
    }
  }
  const [sealX, sealY] = [width * 0.83, height * (drawing.tall ? 0.6 : 0.74)]
  drawing.rect(sealX, sealY, unit * 8, unit * 8, palette.accent, { rx: unit * 0.8 })
  drawing.line(
    `M${sealX + unit * 2} ${sealY + unit * 2}h${unit * 4}v${unit * 4}h${-unit * 4}zm0 ${unit * 2}h${unit * 4}`,
    palette.paper,
    unit * 0.7,
  )
  return { place: 'bottom', shade: 'light' }
}

function leaves(drawing: Drawing, x: number, y: number, opacity: number): void {
  const { unit, palette } = drawing
  const side = drawing.chance() ? 1 : -1
  for (let leaf = 0; leaf < 4; leaf++) {
    const long = unit * drawing.between(12, 20)
    drawing.path(
      `M0 0Q${long * 0.4} ${-long * 0.13} ${long} ${long * 0.04}Q${long * 0.4} ${long * 0.13} 0 0Z`,
      palette.ink,
      {
        transform: `translate(${x} ${y}) scale(${side} 1) rotate(${-24 + leaf * 24 + drawing.between(-6, 6)})`,
        opacity: opacity * drawing.between(0.75, 1),
      },
    )
  }
}

/** An open notebook with a pencil and a first sketch. */
export const notebook: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.soft, mix(palette.soft, palette.mid, 0.6)], 60))
  const [x, y] = [width * 0.5, height * (drawing.tall ? 0.35 : 0.5)]
  const [wide, tall] = [unit * (drawing.tall ? 74 : 92), unit * (drawing.tall ? 78 : 68)]
  drawing.group(`translate(${x} ${y}) rotate(${drawing.between(-9, 7)})`, () => {
    drawing.rect(-wide / 2 - unit * 1.6, -tall / 2 - unit * 1.2, wide + unit * 3.2, tall + unit * 2.8, palette.deep, {
      rx: unit * 2,
      filter: drawing.shadow(unit * 3, 0.4),
    })
    drawing.rect(-wide / 2, -tall / 2, wide, tall, palette.paper, { rx: unit })
    for (let line = 1; line < tall / unit / 5.4; line++)
      drawing.rect(unit * 3, -tall / 2 + line * unit * 5.4, wide / 2 - unit * 6, unit * 0.24, palette.soft)
    drawing.rect(-unit * 0.4, -tall / 2, unit * 0.8, tall, palette.soft)
    for (let word = 0; word < 8; word++)
      drawing.line(
        curve(
          Array.from(
            { length: 8 },
            (_, step): Point => [
              unit * (4 + step * (wide / unit / 20) * (word % 3 === 2 ? 0.6 : 1)),
              -tall / 2 + unit * (9.6 + word * 5.4 + (step % 2 ? -1.3 : 0.5) * drawing.between(0.5, 1.2)),
            ],
          ),
        ),
        palette.deep,
        unit * 0.5,
      )
    const reach = unit * 14
    const middle = -wide / 4
    drawing.circle(middle, -unit * 6, reach, 'none', { stroke: palette.ink, 'stroke-width': unit * 0.6 })
    drawing.path(
      `M${middle - reach} ${unit * 15}Q${middle} ${-unit * 16} ${middle + reach} ${unit * 15}Z`,
      palette.accent,
      { opacity: 0.85 },
    )
    drawing.line(`M${middle - reach * 1.2} ${unit * 15}h${reach * 2.4}`, palette.ink, unit * 0.6)
    for (let hatch = 0; hatch < 9; hatch++)
      drawing.line(
        `M${middle + unit * (hatch * 1.3)} ${unit * 15}l${unit * 3} ${-unit * (9 - hatch * 0.9)}`,
        palette.ink,
        unit * 0.35,
      )
  })
  drawing.group(
    `translate(${width * 0.74} ${height * (drawing.tall ? 0.5 : 0.62)}) rotate(${drawing.between(-52, -36)})`,
    () => {
      drawing.rect(-unit * 26, -unit * 2.2, unit * 42, unit * 4.4, palette.accent)
      drawing.rect(-unit * 26, -unit * 0.7, unit * 42, unit * 1.5, mix(palette.accent, palette.paper, 0.35))
      drawing.rect(unit * 16, -unit * 2.2, unit * 4, unit * 4.4, palette.paper)
      drawing.rect(unit * 20, -unit * 2.2, unit * 5, unit * 4.4, palette.mid, { rx: unit })
      drawing.path(
        polyline(
          [
            [-unit * 26, -unit * 2.2],
            [-unit * 34, 0],
            [-unit * 26, unit * 2.2],
          ],
          true,
        ),
        palette.paper,
      )
      drawing.path(
        polyline(
          [
            [-unit * 31, -unit * 0.9],
            [-unit * 34, 0],
            [-unit * 31, unit * 0.9],
          ],
          true,
        ),
        palette.ink,
      )
    },
  )
  return { place: 'bottom', shade: 'dark' }
}

/** A record and the wave it plays. */
export const record: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([palette.mid, palette.deep], 70))
  const [x, y] = [width * (drawing.tall ? 0.5 : 0.4), height * (drawing.tall ? 0.4 : 0.5)]
  const bars = 56
  for (let bar = 0; bar < bars; bar++) {
    const at = (width * bar) / bars
    const tall = unit * (4 + 30 * Math.abs(Math.sin(bar * 0.37) * Math.sin(bar * 0.11 + 1)) * drawing.between(0.6, 1.2))
    drawing.rect(at, y - tall / 2, (width / bars) * 0.5, tall, palette.soft, { rx: unit * 0.6, opacity: 0.7 })
  }
  drawing.circle(x, y, unit * 37, palette.ink, { filter: drawing.shadow(unit * 3, 0.55) })
  for (let groove = 0; groove < 9; groove++)
    drawing.circle(x, y, unit * (34 - groove * 2.3), 'none', {
      stroke: palette.paper,
      'stroke-width': unit * 0.16,
      'stroke-opacity': 0.3,
    })
  drawing.path(
    `M${x} ${y}L${x + unit * 33} ${y - unit * 15}A${unit * 36} ${unit * 36} 0 0 1 ${x + unit * 35} ${y + unit * 3}Z`,
    palette.paper,
    { opacity: 0.13 },
  )
  drawing.circle(x, y, unit * 13, palette.accent)
  drawing.path(`M${x - unit * 13} ${y}a${unit * 13} ${unit * 13} 0 0 0 ${unit * 26} 0Z`, palette.paper)
  drawing.circle(x, y, unit * 1.4, palette.ink)
  return { place: 'bottom', shade: 'dark' }
}

/** A bowl with steam, chopsticks, and what goes into it. */
export const bowl: Scene = (drawing) => {
  const { width, height, unit, palette } = drawing
  drawing.fill(drawing.linear([mix(palette.soft, palette.paper, 0.55), palette.soft]))
  const [x, y] = [width * drawing.between(0.46, 0.54), height * (drawing.tall ? 0.5 : 0.58)]
  drawing.circle(x, y - unit * 4, unit * 42, mix(palette.paper, palette.soft, 0.25))
  drawing.ellipse(x, y + unit * 27, unit * 46, unit * 4.5, palette.ink, { opacity: 0.2 })
  drawing.path(
    `M${x - unit * 36} ${y}h${unit * 72}c0 ${unit * 20} ${-unit * 14} ${unit * 26} ${-unit * 22} ${unit * 28}h${-unit * 28}c${-unit * 8} ${-unit * 2} ${-unit * 22} ${-unit * 8} ${-unit * 22} ${-unit * 28}Z`,
    palette.deep,
  )
  drawing.path(
    `M${x} ${y}h${unit * 36}c0 ${unit * 20} ${-unit * 14} ${unit * 26} ${-unit * 22} ${unit * 28}h${-unit * 14}Z`,
    palette.ink,
    { opacity: 0.3 },
  )
  drawing.ellipse(x, y, unit * 36, unit * 9, mix(palette.deep, palette.paper, 0.25))
  drawing.ellipse(x, y + unit * 0.6, unit * 32, unit * 7.2, palette.accent)
  const toppings = [palette.paper, palette.mid, palette.soft, palette.deep, palette.mid] as const
  for (const [index, colour] of toppings.entries()) {
    const [left, top] = [x + unit * (-21 + index * 10.5), y + unit * (index % 2 ? 1.8 : -1.4)]
    if (index % 2) drawing.ellipse(left, top, unit * 6.5, unit * 2.6, colour)
    else {
      drawing.circle(left, top, unit * 4, colour)
      drawing.circle(left, top, unit * 1.9, index ? palette.paper : palette.accent)
    }
  }
  drawing.line(`M${x - unit * 26} ${y + unit * 12}h${unit * 52}`, palette.accent, unit * 1.1)
  for (const [stick, shift] of [0, 5].entries())
    drawing.line(
      polyline([
        [x + unit * (8 + shift), y - unit * 2],
        [x + unit * (52 + shift * 1.4), y - unit * (40 - stick * 4)],
      ]),
      palette.ink,
      unit * 1.8,
    )
  for (const steam of [-14, 0, 13])
    drawing.line(
      `M${x + unit * steam} ${y - unit * 11}q${unit * 5} ${-unit * 6} 0 ${-unit * 12}t0 ${-unit * 12}`,
      palette.paper,
      unit * 1.7,
      { opacity: 0.9 },
    )
  return { place: drawing.tall ? 'bottom' : 'top', shade: 'light' }
}
