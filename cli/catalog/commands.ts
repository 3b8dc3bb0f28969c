import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Deps } from '#api/deps.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import { exportCatalog, type Reference } from '#api/domain/exchange/export-catalog.ts'
import { type Imported, importCatalog } from '#api/domain/exchange/import-catalog.ts'
import type { SourceFiles } from '#api/domain/exchange/source.ts'
import type { VideoWanted } from '#api/domain/exchange/table.ts'
import { isFailure } from '#api/domain/failure.ts'
import type { PaymentEnv } from '#api/domain/payments/env.ts'
import { giveVideo } from '#api/domain/videos/give-video.ts'
import { unattendedPaymentEnv } from '#api/payment-env.ts'
import { StartupError } from '#api/startup-error.ts'
import type { LessonId, ProductId } from '#contract/ids.ts'
import { actorOf, inStore, open, type StoreOptions } from '../open.ts'
import { storeOf } from '../owner.ts'
import { printRows } from '../print.ts'
import { judgeSettings, keepSettings } from '../settings/keep-settings.ts'
import { readSource, tableNames } from './read-source.ts'
import { sourceFiles } from './source-files.ts'
import { copyMedia, writeCsv, writeJsonTable, writeWhole } from './write-files.ts'

interface ExportOptions extends StoreOptions {
  tables: string[]
  media?: true
  separator: string
}

interface ImportOptions extends StoreOptions {
  table?: string
  dryRun?: true
  remove?: true
}

const everything = [...tableNames, 'settings']

const readTables = (text: string) => {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  const strange = names.find((name) => !everything.includes(name))
  if (strange) throw new InvalidArgumentError(`There is no table ${strange}. There are: ${everything.join(', ')}.`)
  return names
}

const exportTo = async (path: string, options: ExportOptions) => {
  const wanted = new Set<string>()
  const reference: Reference = (key, kind) => {
    if (!options.media || kind === 'VIDEO') return `store:${key}`
    wanted.add(key)
    return `media/${key}`
  }
  const counts: Record<string, unknown>[] = []
  const separator = options.separator === 'tab' ? '\t' : options.separator
  const asJson = /\.json$/i.test(path)
  const folder = asJson ? join(path, '..') : path
  await inStore(options, async (env, deps) => {
    const settings = `${JSON.stringify(env.customer.settings, null, 2)}\n`
    const withSettings = options.tables.includes('settings')
    await mkdir(folder, { recursive: true })
    await env.inTransaction(async (ctx) => {
      const tables = exportCatalog(ctx, options.tables, reference)
      if (!asJson) {
        for await (const table of tables) {
          const file = `${table.table}.csv`
          counts.push({ table: table.table, rows: await writeCsv(join(path, file), table, separator), file })
        }
        return
      }
      await writeWhole(path, async (line) => {
        await line('{')
        if (withSettings) await line(`\n  "settings": ${settings.trim().replaceAll('\n', '\n  ')}`)
        let first = !withSettings
        for await (const table of tables) {
          await line(first ? '\n' : ',\n')
          first = false
          counts.push({ table: table.table, rows: await writeJsonTable(table, line) })
        }
        await line('\n}\n')
      })
    })
    if (withSettings && !asJson) await writeWhole(join(path, 'settings.json'), (line) => line(settings))
    const missing = await copyMedia(deps.storage, wanted, folder)
    for (const key of missing) console.error(`The store has lost ${key}: it is named, and not there.`)
  })
  printRows(counts, 'Nothing was asked for.')
}

const shown = (value: string | null) =>
  value === null ? '' : ` “${value.length > 60 ? `${value.slice(0, 60)}…` : value}”`

/** One line a problem: where, what it says, what would be right. */
const printProblems = ({ problems, unlisted }: Pick<Imported, 'problems' | 'unlisted'>) => {
  for (const { file, row, column, value, right } of problems) {
    const place = [file, row === null ? '' : `row ${row}`, column ?? ''].filter(Boolean).join(', ')
    console.error(`${place}:${shown(value)} ${right}${/[.?!]$/.test(right) ? '' : '.'}`.replace(/\s+/g, ' '))
  }
  if (unlisted > 0) console.error(`… and ${unlisted} more.`)
}

/** Videos go their own way from here: each becomes a stream once there is time. */
const handIn = async (
  env: PaymentEnv,
  deps: Deps,
  by: AuditActor,
  videos: readonly VideoWanted[],
  files: SourceFiles,
) => {
  const giving = { ...env, sources: deps.sources, dataFolder: deps.dataFolder }
  for (const { productId, lessonId, path } of videos) {
    const file = await files.open(path)
    if (file === null || typeof file === 'string') throw new StartupError(`${path} is not there any more.`)
    const video = { productId: productId as ProductId, lessonId: lessonId as LessonId | null, path: file.path }
    const job = await giveVideo(giving, by, video)
    if (!isFailure(job)) continue
    const why = Object.values(job.errors ?? {}).flat()
    throw new StartupError(
      `The tables are in the store. ${path} is not on its way: ${why.join(' ')} Import again for the rest.`,
    )
  }
}

const importFrom = async (path: string, options: ImportOptions) => {
  const { sources, settings, folder } = await readSource(path, options.table)
  const files = sourceFiles(folder)
  const by = actorOf(options)
  const dry = options.dryRun === true
  await using opened = await open()
  const { deps } = opened
  const given = settings === null ? null : await judgeSettings(opened, options.customer, settings, files)
  const env = unattendedPaymentEnv(deps, await storeOf(opened, options.customer), 'cli')
  const wish = { sources, by, dry: dry || (given?.problems.length ?? 0) > 0, removes: options.remove === true }
  const report = await importCatalog({ ...env, storage: deps.storage, files }, wish)
  report.problems.unshift(...(given?.problems ?? []))
  if (report.problems.length > 0) {
    printProblems(report)
    const count = report.problems.length + report.unlisted
    throw new StartupError(`Nothing was imported: ${count === 1 ? 'one thing is' : `${count} things are`} wrong.`)
  }
  const changes = given && !dry ? await keepSettings(opened, options, given) : (given?.changes.length ?? 0)
  if (!dry) await handIn(env, deps, by, report.videos, files)
  printRows(
    [
      ...report.tables.map(({ file, counts: { left, ...counts } }) => ({ file, ...counts, 'not in the file': left })),
      ...(given
        ? [{ file: 'settings', added: 0, changed: changes, unchanged: given.same, removed: 0, 'not in the file': 0 }]
        : []),
    ],
    'There was nothing in it.',
  )
  if (report.videos.length > 0)
    console.log(
      `${report.videos.length} videos ${dry ? 'would be' : 'are'} made into streams: npm run cli -- video list`,
    )
  if (dry) console.log('A dry run: nothing was kept.')
}

/** A store's catalogue as files, out and in. */
export const catalogCommands = (program: Command, store: (command: Command) => Command) => {
  const catalog = program.command('catalog').description('Take the catalogue of a store out as files, or in')
  store(
    catalog.command('export').description('Write the tables of a store into a folder as CSV, or into one JSON file'),
  )
    .argument('<path>', 'a folder, or a file that ends in .json')
    .option('--tables <names>', `which, of ${everything.join(', ')}`, readTables, everything)
    .option('--media', 'pictures and files go along; videos never do')
    .addOption(new Option('--separator <sign>', 'between the cells of CSV').choices([',', ';', 'tab']).default(','))
    .action(exportTo)
  store(catalog.command('import').description('Take tables into a store, all of them or nothing'))
    .argument('<path>', 'a folder of tables, one table as CSV, or a JSON file')
    .option('--table <name>', `what a CSV holds, where its name does not say it: ${tableNames.join(', ')}`)
    .option('--dry-run', 'say all that is wrong and what would change, and change nothing')
    .option('--remove', 'take out what is not in the tables; products that are not are ended')
    .action(importFrom)
}
