import { titleOf } from '#api/modules/analytics/analytics-table.ts'
import type { ProductRetention } from '#contract/analytics.ts'

const barWidth = 40

const clock = (seconds: number) => {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Prints a bar for each range of each video: how many of the plays watched a part of it. */
export const printRetention = ({ product, from, to, parts }: ProductRetention) => {
  if (parts.length === 0) return console.log('No watch data in this period.')
  for (const [index, { lesson, durationSeconds, plays, retention }] of parts.entries()) {
    console.log(`${index > 0 ? '\n' : ''}${titleOf(lesson, product)}, ${from} to ${to}, plays: ${plays}`)
    const begins = retention.map((range) =>
      durationSeconds === null ? percent(range.from) : clock(range.from * durationSeconds),
    )
    const width = Math.max(...begins.map(({ length }) => length))
    for (const [at, { share }] of retention.entries()) {
      const bar = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '·')
      console.log(`${(begins[at] ?? '').padStart(width)}  ${bar} ${percent(share).padStart(5)}`)
    }
  }
}
