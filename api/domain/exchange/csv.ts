import { stringify } from 'csv-stringify/sync'

/** What a spreadsheet would take for a formula; a number with its sign is none. */
const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-\d+(?:\.\d+)?$/

/** A cell that no spreadsheet runs: an apostrophe stands before what would be a formula. */
const guarded = (cell: string) => (formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell)
/** The cell again as it was. */
export const unguarded = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Marks a file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\ufeff'

/** Lines of CSV, ended as spreadsheets end them. Numbers stay numbers; a text that would run is guarded. */
export const csvLines = (lines: readonly (readonly (string | number | null)[])[], delimiter = ','): string =>
  stringify(
    lines.map((cells) => cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell))),
    { delimiter, record_delimiter: '\r\n' },
  )
