import 'uplot/dist/uPlot.min.css'
import { Trans } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import UPlot from 'uplot'
import { classNames } from '~/ui/element'
import styles from './chart.module.css'
import type { ChartSeries } from './chart-series'

interface ChartProps {
  /** What the chart shows, for those who do not see it. The table below has its numbers. */
  label: string
  series: ChartSeries
  /** What the range before is called, where the series has one. */
  comparedName?: string
  valueText: (value: number) => string
  pointText: (point: string) => string
}

/** So that an axis of whole numbers does not repeat them. */
const wholeIncrements = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat()

const heightOf = (place: HTMLElement) => place.clientHeight

/** The colours of the theme, which a canvas takes as values. */
const coloursOf = (place: HTMLElement) => {
  const probe = document.createElement('span')
  place.append(probe)
  const colour = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    series: colour('--series'),
    before: colour('--series-before'),
    axis: colour('--axis'),
    grid: colour('--grid'),
  }
  probe.remove()
  return colours
}

const optionsFor = (
  place: HTMLElement,
  { points: names, values }: ChartSeries,
  {
    valueText,
    pointText,
    onMove,
  }: Pick<ChartProps, 'valueText' | 'pointText'> & { onMove: (at: number | null) => void },
): UPlot.Options => {
  const { series, before, axis, grid } = coloursOf(place)
  const font = `12px ${getComputedStyle(place).fontFamily}`
  const lines = { stroke: grid, width: 1 }
  const points = { show: names.length === 1 }
  return {
    width: place.clientWidth,
    height: heightOf(place),
    legend: { show: false },
    scales: { x: { time: false }, y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.05 : 1] } },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    axes: [
      {
        stroke: axis,
        font,
        grid: { show: false },
        ticks: { show: false },
        size: 30,
        space: 84,
        incrs: [1, 2, 5, 7, 10, 14, 30, 60],
        values: (_, splits) => splits.map((at) => (names[at] === undefined ? '' : pointText(names[at]))),
      },
      {
        stroke: axis,
        font,
        grid: lines,
        ticks: { show: false },
        size: 84,
        ...(values.every(Number.isInteger) && { incrs: wholeIncrements }),
        values: (_, splits) => splits.map(valueText),
      },
    ],
    series: [
      {},
      { stroke: before, width: 1.5, dash: [5, 4], points: { show: false } },
      { stroke: series, width: 2, points },
    ],
    hooks: { setCursor: [({ cursor }) => onMove(cursor.idx ?? null)] },
  }
}

/**
 * A line chart, above the one of the compared range if the series has it. Its numbers are in a
 * table below.
 */
export function Chart({ label, series, comparedName, valueText, pointText }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const draw = useEffectEvent(() => {
    const element = place.current
    if (!element) return undefined
    const { points, values, before } = series
    const data: UPlot.AlignedData = [points.map((_, index) => index), before ?? points.map(() => null), values]
    return new UPlot(optionsFor(element, series, { valueText, pointText, onMove: setAt }), data, element)
  })
  useEffect(() => {
    const element = place.current
    if (!element || series.points.length === 0) return
    let chart = draw()
    const redraw = () => {
      chart?.destroy()
      chart = draw()
    }
    const resizes = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: heightOf(element) }))
    resizes.observe(element)
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    return () => {
      dark.removeEventListener('change', redraw)
      themes.disconnect()
      resizes.disconnect()
      chart?.destroy()
    }
  }, [series])
  const [point, value, before] = at === null ? [] : [series.points[at], series.values[at], series.before?.[at]]
  const beforePoint = at === null ? undefined : series.beforePoints?.[at]
  return (
    <>
      <div className={styles.legend} aria-hidden>
        {series.before && (
          <>
            <span className={styles.key}>
              <Trans>This range</Trans>
            </span>
            <span className={classNames(styles.key, styles.before)}>{comparedName}</span>
          </>
        )}
        <span className={styles.tip}>
          {point !== undefined && value !== undefined && (
            <>
              {pointText(point)} · {valueText(value)}
              {typeof before === 'number' && (
                <>
                  {' '}
                  ({beforePoint === undefined ? comparedName : pointText(beforePoint)} · {valueText(before)})
                </>
              )}
            </>
          )}
        </span>
      </div>
      <div ref={place} className={styles.chart} role="img" aria-label={label} dir="ltr" />
    </>
  )
}
