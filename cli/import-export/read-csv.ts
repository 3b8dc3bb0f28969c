import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import type { SourceRow, SourceTable } from '#api/modules/import-export/tables/cell-formats.ts'
import { withoutFormulaGuard } from '#api/platform/csv.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { encodingOf, textOf } from './encoding.ts'

/** The maximum characters of a row. An unclosed quote would turn the whole file into one row. */
const maxRowLength = 8_000_000

const headingOf = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

/** Returns the first line, and the separator of a `sep=;` line above it. */
const firstLine = async (path: string, encoding: string): Promise<{ line: string; marked: string | null }> => {
  let text = ''
  for await (const piece of textOf(path, encoding)) {
    text += piece
    if (text.length > 100_000 || text.split(/\r\n|\n|\r/).length > 3) break
  }
  const lines = text.split(/\r\n|\n|\r/)
  const marked = /^"?sep=(.)"?$/i.exec(lines[0] ?? '')?.[1] ?? null
  return { marked, line: (marked ? lines[1] : lines[0]) ?? '' }
}

/** Returns the separator that yields the most known columns in the heading. */
const separatorOf = (line: string, columns: readonly string[]) => {
  const hits = (separator: string) =>
    line.split(separator).filter((cell) => columns.includes(headingOf(cell.replaceAll('"', '')))).length
  return [';', '\t'].reduce((best, each) => (hits(each) > hits(best) ? each : best), ',')
}

const brokenAt = (error: CsvError, row: number): SourceRow => {
  const message =
    error.code === 'CSV_MAX_RECORD_SIZE'
      ? 'has more than 8 million characters. A quotation mark may be missing at the end of a cell'
      : error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'has an opening quotation mark without a closing one'
        : 'must be in quotation marks, with inner quotation marks doubled, for example "the ""best"" film"'
  return {
    row,
    cells: {},
    wrong: { column: null, value: null, message: `${message}. The rest of the file was not read` },
  }
}

/** Yields records up to the first invalid one. After it quoting is ambiguous. */
async function* recordsOf(path: string, encoding: string, delimiter: string) {
  let parsed = 0
  const broken: { error: CsvError; after: number }[] = []
  const parser = parse({
    delimiter,
    relax_column_count: true,
    max_record_size: maxRowLength,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_records_with_error: true,
    on_record: (record: string[]) => {
      parsed++
      return record
    },
    on_skip: (error) => {
      if (error) broken.push({ error, after: parsed })
      return undefined
    },
  })
  const source = Readable.from(textOf(path, encoding))
  source.on('error', (error) => parser.destroy(error))
  let row = 0
  try {
    const records: AsyncIterable<string[]> = source.pipe(parser)
    for await (const cells of records) {
      if (broken[0] && row >= broken[0].after) break
      yield { row: ++row, cells, broken: null }
    }
    if (broken[0]) yield { row: row + 1, cells: [], broken: broken[0].error }
  } finally {
    source.destroy()
  }
}

const isMark = (cells: readonly string[]) => cells.length <= 2 && /^sep=/i.test(cells[0] ?? '')
const isEmpty = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

/**
 * Reads a CSV file as a table, lazily. Accepts commas, semicolons and tabs, because spreadsheets
 * use different separators by country.
 */
export const readCsv = async (
  path: string,
  table: string,
  file: string,
  known: readonly string[],
): Promise<SourceTable> => {
  const encoding = await encodingOf(path)
  const { line, marked } = await firstLine(path, encoding)
  const separator = marked ?? separatorOf(line, known)
  let columns: string[] | undefined
  for await (const { cells, broken } of recordsOf(path, encoding, separator)) {
    if (broken)
      throw new OperatorError(`${file}, row 1: the header row cannot be read. ${brokenAt(broken, 1).wrong?.message}.`)
    if (isMark(cells) || isEmpty(cells)) continue
    columns = cells.map(headingOf)
    break
  }
  if (!columns) throw new OperatorError(`${file} is empty. Its first row must name its columns: ${known.join(', ')}.`)
  const names = columns
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice) throw new OperatorError(`${file}, row 1: the column ${twice} occurs twice.`)

  async function* rows(): AsyncGenerator<SourceRow> {
    let heading = true
    for await (const { row, cells, broken } of recordsOf(path, encoding, separator)) {
      if (broken) {
        yield brokenAt(broken, row)
        return
      }
      if (isMark(cells) || isEmpty(cells)) continue
      if (heading) {
        heading = false
        continue
      }
      const read = Object.fromEntries(names.map((name, at) => [name, withoutFormulaGuard(cells[at] ?? '')]))
      const beyond = cells.slice(names.length).find((cell) => cell.trim() !== '')
      if (beyond === undefined && cells.length >= names.length) yield { row, cells: read }
      else {
        const message = `must have ${names.length} cells like the header row, but has ${cells.length}. Put cells that contain a separator in quotation marks`
        yield { row, cells: read, wrong: { column: null, value: beyond ?? null, message } }
      }
    }
  }
  return { table, file, columns: names.filter((name) => name !== ''), rows }
}
