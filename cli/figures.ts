import { type Command, InvalidArgumentError, Option } from 'commander'
import { stringify } from 'csv-stringify/sync'
import type { Ctx } from '#api/context.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { productFigures, productsFigures, storeFigures } from '#api/domain/figures/list-figures.ts'
import type { Figures, FiguresPeriod } from '#contract/figures.ts'
import type { ProductCode } from '#contract/ids.ts'
import { guarded } from './catalog/guard.ts'
import { type StoreOptions, transact } from './open.ts'
import { printRows } from './print.ts'

/** `--by` is who acts, in every command. */
interface FiguresOptions extends StoreOptions {
  product?: string
  from?: string
  to?: string
  per?: FiguresPeriod | 'product' | 'lesson'
  sort: 'views' | 'plays' | 'finishes' | 'playedMinutes'
  limit: number
  csv?: boolean
}

type Row = Record<string, string | number | null>

const readDate = (text: string): string => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('Give a day, for example 2027-03-31.')
  return text
}
const readLimit = (text: string): number => {
  const limit = Number(text)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new InvalidArgumentError('Give a whole number from 1.')
  return limit
}

const cells = ({ views, plays, playedMinutes, finishes, finishRate }: Figures): Row => ({
  ...{ views, plays, 'played minutes': playedMinutes, finishes },
  'finish rate': finishRate === null ? null : Math.round(finishRate * 1000) / 1000,
})

/** What came of the store: of its products, of one product's lessons, or over time. */
const rowsOf = async (ctx: Ctx, options: FiguresOptions): Promise<Row[] | Failure> => {
  const { product, from, to, sort, limit, per: by = product ? 'lesson' : 'product' } = options
  if (by === 'product' && product !== undefined)
    return failure('VALIDATION_FAILED', { errors: { per: ['With --product, --per is lesson, day, week or month.'] } })
  if (by === 'product') {
    const found = await productsFigures(ctx, { from, to, sort, page: 1, size: limit })
    if (isFailure(found)) return found
    return found.items.map(({ product: { code, title }, ...each }) => ({ product: code, title, ...cells(each) }))
  }
  if (product === undefined) {
    if (by === 'lesson') return failure('VALIDATION_FAILED', { errors: { per: ['--per lesson needs --product.'] } })
    const found = await storeFigures(ctx, { from, to, by })
    return isFailure(found) ? found : found.periods.map((period) => ({ from: period.from, ...cells(period) }))
  }
  const period = by === 'lesson' ? 'month' : by
  const found = await productFigures(ctx, { code: product as ProductCode, from, to, by: period })
  if (isFailure(found)) return found
  if (by !== 'lesson') return found.periods.map((each) => ({ from: each.from, ...cells(each) }))
  const titleOf = ({ lesson }: (typeof found.parts)[number]) =>
    lesson === null ? found.product.title : (lesson.title ?? 'A lesson that is there no more')
  return found.parts.map((part) => ({ lesson: part.lesson?.id ?? null, title: titleOf(part), ...cells(part) }))
}

/** Numbers stay numbers; a text that a spreadsheet would take for a formula is guarded. */
const csvOf = (rows: readonly Row[]) =>
  stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [name, typeof cell === 'string' ? guarded(cell) : cell]),
      ),
    ),
    { header: true, record_delimiter: '\r\n' },
  )

export const figuresCommands = (program: Command, store: (command: Command) => Command) => {
  store(
    program
      .command('figures')
      .description('What came of the products: views, plays, minutes played, how many were finished'),
  )
    .option('--product <code>', 'of one product')
    .option('--from <day>', "the first day, by the store's time zone (by default thirty days in all)", readDate)
    .option('--to <day>', 'the last day (by default today)', readDate)
    .addOption(
      new Option('--per <what>', 'one line each (by default product; with --product, lesson)').choices([
        ...['product', 'lesson', 'day', 'week', 'month'],
      ]),
    )
    .addOption(
      new Option('--sort <figure>', 'the most first, of products')
        .choices(['views', 'plays', 'finishes', 'playedMinutes'])
        .default('plays'),
    )
    .option('--limit <count>', 'how many products at most', readLimit, 1_000)
    .option('--csv', 'as CSV, to be written to a file')
    .action(async (options: FiguresOptions) => {
      const rows = await transact(options, (ctx) => rowsOf(ctx, options))
      if (options.csv) process.stdout.write(csvOf(rows))
      else printRows(rows, 'Nothing was watched in these days.')
    })
}
