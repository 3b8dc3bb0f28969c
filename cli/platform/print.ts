import stringWidth from 'string-width'
import { minuteAt } from '#api/platform/clock.ts'

/** Formats a time with its zone: `2026-11-22 08:30 (Asia/Seoul)`. */
export const formatTime = (time: Date, timeZone: string) => `${minuteAt(time, timeZone)} (${timeZone})`

/** Reads a stored time. Returns null if there is none. */
export const timeOf = (iso: string | null | undefined): Date | null => (iso ? new Date(iso) : null)

/**
 * Replaces control characters of untrusted text, which could move the cursor or clear the
 * operator's screen.
 */
export const oneLine = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ')

/** Pads text to a width in columns of the terminal, where Korean and Japanese letters take two. */
const padded = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - stringWidth(text)))

/** Prints labelled values, one per line, with times in a time zone. Omits missing values. */
export const printFacts = (facts: Record<string, Date | string | number | null | undefined>, timeZone: string) => {
  const entries = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...entries.map(([name]) => name.length))
  for (const [name, value] of entries)
    console.log(
      `${name.padEnd(width)}  ${value instanceof Date ? formatTime(value, timeZone) : oneLine(String(value))}`,
    )
}

/**
 * Prints rows as columns, or the sentence `nothing` where there are none. Times are printed in
 * `timeZone`, which the heading of their column names.
 */
export const printRows = (rows: readonly Record<string, unknown>[], nothing: string, timeZone = 'UTC') => {
  if (rows.length === 0) return console.log(nothing)
  const names = Object.keys(rows[0] ?? {})
  const headings = names.map((name) => (rows.some((row) => row[name] instanceof Date) ? `${name} (${timeZone})` : name))
  const cell = (value: unknown) =>
    value === null || value === undefined
      ? ''
      : value instanceof Date
        ? minuteAt(value, timeZone)
        : oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
  const widths = names.map((name, at) =>
    Math.min(60, Math.max(headings[at]?.length ?? 0, ...rows.map((row) => stringWidth(cell(row[name]))))),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((text, at) => padded(text, widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  console.log(line(headings))
  for (const row of rows) console.log(line(names.map((name) => cell(row[name]))))
}
