/** What a spreadsheet would take for a formula; a number with its sign is none. */
const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-\d+(?:\.\d+)?$/

/** A cell that no spreadsheet runs: an apostrophe stands before what would be a formula. */
export const guarded = (cell: string) => (formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell)
/** The cell again as it was. */
export const unguarded = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
