import stringWidth from 'string-width'

/** Formats a time in UTC: `2026-11-22 08:30 UTC`. */
export const minuteOf = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`

/**
 * Replaces control characters of untrusted text, which could move the cursor or clear the
 * operator's screen.
 */
export const oneLine = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ')

/** Pads text to a width in columns of the terminal, where Korean and Japanese letters take two. */
const padded = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - stringWidth(text)))

/** Prints labelled values, one per line. Omits missing values. */
export const printFacts = (facts: Record<string, string | number | null | undefined>) => {
  const given = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...given.map(([name]) => name.length))
  for (const [name, value] of given) console.log(`${name.padEnd(width)}  ${oneLine(String(value))}`)
}

/** Prints rows as columns, or the sentence `nothing` where there are none. */
export const printRows = (rows: readonly Record<string, unknown>[], nothing: string) => {
  if (rows.length === 0) return console.log(nothing)
  const names = Object.keys(rows[0] ?? {})
  const cell = (value: unknown) =>
    value === null || value === undefined
      ? ''
      : oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
  const widths = names.map((name) =>
    Math.min(60, Math.max(name.length, ...rows.map((row) => stringWidth(cell(row[name]))))),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((text, at) => padded(text, widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  console.log(line(names))
  for (const row of rows) console.log(line(names.map((name) => cell(row[name]))))
}
