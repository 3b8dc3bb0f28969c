import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { type I18n, type Message, messageIn, messagesOf } from '#api/platform/i18n/messages.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { minorDigits } from '#contract/money.ts'

/** A cell that a spreadsheet would run as a formula. Signed numbers are excluded below. */
const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^-\d+(?:\.\d+)?$/

/** Prefixes a formula with an apostrophe, so that no spreadsheet runs it. */
const guarded = (cell: string) => (formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell)
/** Reverts `guarded`. */
const withoutFormulaGuard = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Marks a file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\ufeff'

/**
 * Returns lines of CSV with the line ends that spreadsheets use. Numbers stay numbers, and formulas
 * are escaped.
 */
export const csvLines = (lines: readonly (readonly (string | number | null)[])[], delimiter = ','): string =>
  stringify(
    lines.map((cells) => cells.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell))),
    // Readers end a row at each of the three line ends.
    { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  )

type CsvRow = readonly (string | number | null)[]

/** Returns a stream that reads chunks as it is sent. An error of `chunks` breaks it. */
export const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return(undefined)),
  })

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
  return streamOf(chunks())
}

/**
 * Parses `12.50`, `1,250` or `1250`. Returns minor units, or a message that describes a valid
 * amount.
 */
export const readMoney = (text: string, currency: string): number | { message: (i18n: I18n) => string } => {
  const decimals = minorDigits(currency)
  const example = decimals === 0 ? '12000' : `12.${'50'.padEnd(decimals, '0').slice(0, decimals)}`
  const plain = text.replace(/\s/g, '')
  const ungrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  const match = /^(\d{1,12})(?:\.(\d+))?$/.exec(ungrouped)
  if (!match)
    return {
      message: (i18n) =>
        i18n._('must be an amount of {currency} without its sign, for example {example}', { currency, example }),
    }
  const [, integerPart = '', decimalPlaces = ''] = match
  const fraction = decimalPlaces.replace(/0+$/, '')
  if (fraction.length > decimals)
    return {
      message: (i18n) =>
        decimals === 0
          ? i18n._('must be whole: {currency} has no decimals, for example {example}', { currency, example })
          : i18n._('must have {decimals} decimals at most, as {currency} has, for example {example}', {
              decimals,
              currency,
              example,
            }),
    }
  return Number(integerPart + fraction.padEnd(decimals, '0'))
}

/** Formats minor units as a decimal amount: 1250 USD is `12.50`. */
export const writeMoney = (amount: number, currency: string): string => {
  const decimals = minorDigits(currency)
  if (decimals === 0) return String(amount)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const firstBytes = async (path: string): Promise<Buffer> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return buffer.subarray(0, bytesRead)
}

const isUtf8 = async (path: string): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of createReadStream(path)) decoder.decode(piece, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/**
 * Returns the encoding of a text file: UTF-8 or UTF-16 by byte order mark or content, else CP949,
 * which Korean Windows uses for CSV.
 */
const encodingOf = async (path: string, file: string, i18n: I18n): Promise<string> => {
  const start = await firstBytes(path)
  if (start.subarray(0, 2).toString('latin1') === 'PK' || start.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw new OperatorError(
      i18n._('{file} is an Excel workbook. Save it as “CSV UTF-8 (comma delimited)” and use that file.', { file }),
    )
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return (await isUtf8(path)) ? 'utf-8' : 'euc-kr'
}

/** Streams the text of a file without its byte order mark. */
async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of createReadStream(path)) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

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

/** A row of a file, counted as a spreadsheet does, with its cells by column. */
export interface CsvRecord {
  row: number
  cells: Record<string, string>
  /** Why it cannot be used. */
  wrong?: { column: string | null; value: string | null; message: Message }
}

const brokenAt = (error: CsvError, row: number): CsvRecord => {
  const message: Message = (i18n) => {
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      return i18n._(
        'has more than 8 million characters. A quotation mark may be missing at the end of a cell. The rest of the file was not read',
      )
    return error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? i18n._('has an opening quotation mark without a closing one. The rest of the file was not read')
      : i18n._(
          'must be in quotation marks, with inner quotation marks doubled, for example "the ""best"" film". The rest of the file was not read',
        )
  }
  return {
    row,
    cells: {},
    wrong: { column: null, value: null, message },
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

const wrongCount =
  (counts: { expected: number; cells: number }): Message =>
  (i18n) =>
    i18n._(
      'must have {expected} cells like the header row, but has {cells}. Put cells that contain a separator in quotation marks',
      counts,
    )

const isMark = (cells: readonly string[]) => cells.length <= 2 && /^sep=/i.test(cells[0] ?? '')
const isEmptyRow = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

/**
 * Reads a CSV file, its rows lazily and anew each time. Accepts commas, semicolons and tabs,
 * because spreadsheets use different separators by country, and the encodings of spreadsheets.
 * `file` is its name for messages, `known` the columns that its header may have.
 *
 * @throws OperatorError where its header cannot be read
 */
export const readCsv = async (
  path: string,
  file: string,
  known: readonly string[],
  i18n = messagesOf('en'),
): Promise<{ columns: string[]; rows: () => AsyncIterable<CsvRecord> }> => {
  const encoding = await encodingOf(path, file, i18n)
  const { line, marked } = await firstLine(path, encoding)
  const separator = marked ?? separatorOf(line, known)
  let columns: string[] | undefined
  for await (const { cells, broken } of recordsOf(path, encoding, separator)) {
    if (broken)
      throw new OperatorError(
        i18n._('{file}, row 1: the header row cannot be read. {reason}.', {
          file,
          reason: messageIn(i18n, brokenAt(broken, 1).wrong?.message ?? ''),
        }),
      )
    if (isMark(cells) || isEmptyRow(cells)) continue
    columns = cells.map(headingOf)
    break
  }
  if (!columns)
    throw new OperatorError(
      i18n._('{file} is empty. Its first row must name its columns: {columns}.', { file, columns: known.join(', ') }),
    )
  const names = columns
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice)
    throw new OperatorError(i18n._('{file}, row 1: the column {column} occurs twice.', { file, column: twice }))

  async function* rows(): AsyncGenerator<CsvRecord> {
    let heading = true
    for await (const { row, cells, broken } of recordsOf(path, encoding, separator)) {
      if (broken) return yield brokenAt(broken, row)
      if (isMark(cells) || isEmptyRow(cells)) continue
      if (heading) {
        heading = false
        continue
      }
      const read = Object.fromEntries(names.map((name, at) => [name, withoutFormulaGuard(cells[at] ?? '')]))
      const beyond = cells.slice(names.length).find((cell) => cell.trim() !== '')
      if (beyond === undefined && cells.length >= names.length) yield { row, cells: read }
      else {
        const message = wrongCount({ expected: names.length, cells: cells.length })
        yield { row, cells: read, wrong: { column: null, value: beyond ?? null, message } }
      }
    }
  }
  return { columns: names.filter((name) => name !== ''), rows }
}
