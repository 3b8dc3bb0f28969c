import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { exportCatalog, type Reference } from '#api/domain/exchange/export-catalog.ts'
import { inStore, type StoreOptions } from '../open.ts'
import { printRows } from '../print.ts'
import { importFrom } from './import.ts'
import { tableNames } from './read-source.ts'
import { copyMedia, writeCsv, writeJsonTable, writeWhole } from './write-files.ts'

interface ExportOptions extends StoreOptions {
  tables: string[]
  media?: true
  separator: string
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
