import { type Command, Option } from 'commander'
import { getProductRetention } from '#api/modules/analytics/analytics.ts'
import { analyticsCsv, analyticsTable, rowOf, titleOf } from '#api/modules/analytics/analytics-table.ts'
import {
  type AnalyticsTableQuery,
  analyticsRow,
  analyticsSubject,
  analyticsTableQuery,
  type ProductRetention,
} from '#contract/analytics.ts'
import { readDay, wholeNumber } from './platform/arguments.ts'
import { withOptionNames } from './platform/failures.ts'
import { type StoreOptions, transact } from './platform/open.ts'
import { printRows } from './platform/print.ts'

/** `--by` names the actor in every command. */
interface AnalyticsOptions extends StoreOptions, AnalyticsTableQuery {
  csv?: boolean
}

const barWidth = 40

const clock = (seconds: number) => {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Prints a bar for each range of each video: how many of the plays watched a part of it. */
const printRetention = ({ product, from, to, parts }: ProductRetention) => {
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

const showAnalytics = async (options: AnalyticsOptions) => {
  const { product, from, to, csv } = options
  if (rowOf(options) === 'retention' && product !== undefined && !csv)
    return printRetention(
      await transact(
        options,
        async (ctx) => withOptionNames(await getProductRetention(ctx, { code: product, from, to })),
        `product ${product}`,
      ),
    )
  const table = await transact(
    options,
    async (ctx) => withOptionNames(await analyticsTable(ctx, options)),
    product && `product ${product}`,
  )
  if (csv) process.stdout.write(analyticsCsv(table))
  else printRows(table.rows, 'Nothing happened in this period.')
}

export const analyticsCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('analytics').description('Show views, plays, minutes played and completion'))
    .addOption(new Option('--of <subject>', 'what to show').choices(analyticsSubject.options).default('plays'))
    .option('--product <code>', 'only this product')
    .option('--from <day>', 'first day, in the store’s time zone (default: the last thirty days)', readDay)
    .option('--to <day>', 'last day (default: today)', readDay)
    .addOption(
      new Option(
        '--per <what>',
        'what a row represents (default: product; with --product: lesson); retention: a range of a video',
      ).choices(analyticsRow.options),
    )
    .addOption(
      new Option('--sort <column>', 'sort products by this column, highest first')
        .choices(analyticsTableQuery.shape.sort.def.innerType.options)
        .default('plays'),
    )
    .option('--limit <count>', 'maximum number of products', wholeNumber, 1_000)
    .option('--csv', 'print CSV')
    .action(showAnalytics)
}
