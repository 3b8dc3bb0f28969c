import { stringify } from 'csv-stringify/sync'
import { minorDigits } from '#contract/money.ts'

/** A cell that a spreadsheet would run as a formula. Signed numbers are excluded below. */
const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-\d+(?:\.\d+)?$/

/** Prefixes a formula with an apostrophe, so that no spreadsheet runs it. */
const guarded = (cell: string) => (formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell)
/** Reverts `guarded`. */
export const withoutFormulaGuard = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Marks a file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\ufeff'

/**
 * Returns lines of CSV with the line ends that spreadsheets use. Numbers stay numbers, and formulas
 * are escaped.
 */
export const csvLines = (lines: readonly (readonly (string | number | null)[])[], delimiter = ','): string =>
  stringify(
    lines.map((cells) => cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell))),
    { delimiter, record_delimiter: '\r\n' },
  )

type CsvRow = readonly (string | number | null)[]

/**
 * Returns a file of CSV that is read as it is sent: a page of rows is in memory at a time. An error
 * of `pages` breaks the stream, so that a file that ends is complete.
 */
export const csvStream = (
  columns: readonly string[],
  pages: AsyncIterable<readonly CsvRow[]>,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  const chunks = async function* () {
    yield encoder.encode(byteOrderMark + csvLines([columns]))
    for await (const rows of pages) yield encoder.encode(csvLines(rows))
  }
  const reading = chunks()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reading.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await reading.return(undefined)),
  })
}

/**
 * Parses `12.50`, `1,250` or `1250`. Returns minor units, or a text that describes a valid amount.
 */
export const readMoney = (text: string, currency: string): number | { message: string } => {
  const decimals = minorDigits(currency)
  const example = decimals === 0 ? '12000' : `12.${'50'.padEnd(decimals, '0').slice(0, decimals)}`
  const plain = text.replace(/\s/g, '')
  const ungrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  const match = /^(\d{1,12})(?:\.(\d+))?$/.exec(ungrouped)
  if (!match) return { message: `must be an amount of ${currency} without its sign, for example ${example}` }
  const [, integerPart = '', decimalPlaces = ''] = match
  const fraction = decimalPlaces.replace(/0+$/, '')
  if (fraction.length > decimals)
    return {
      message:
        decimals === 0
          ? `must be whole: ${currency} has no decimals, for example ${example}`
          : `must have ${decimals} decimals at most, as ${currency} has, for example ${example}`,
    }
  return Number(integerPart + fraction.padEnd(decimals, '0'))
}

/** Formats minor units as a decimal amount: 1250 USD is `12.50`. */
export const writeMoney = (amount: number, currency: string): string => {
  const decimals = minorDigits(currency)
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
