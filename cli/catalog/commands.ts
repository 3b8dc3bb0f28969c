import { type Command, InvalidArgumentError, Option } from 'commander'
import { exportTo } from './export.ts'
import { importFrom } from './import.ts'
import { tableNames } from './read-source.ts'

const everything = [...tableNames, 'settings']

export const separatorOption = () =>
  new Option('--separator <sign>', 'between the cells of CSV').choices([',', ';', 'tab']).default(',')

const readTables = (text: string) => {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  const strange = names.find((name) => !everything.includes(name))
  if (strange) throw new InvalidArgumentError(`There is no table ${strange}. There are: ${everything.join(', ')}.`)
  return names
}

/** A store's catalogue as files, out and in. */
export const catalogCommands = (program: Command, store: (command: Command) => Command) => {
  const catalog = program.command('catalog').description('Take the catalogue of a store out as files, or in')
  store(
    catalog.command('export').description('Write the tables of a store into a folder as CSV, or into one JSON file'),
  )
    .argument('<path>', 'a folder, or a file that ends in .json')
    .option('--tables <names>', `which, of ${everything.join(', ')}`, readTables, everything)
    .option('--media', 'pictures and files go along')
    .option('--videos', 'films go along, those whose files were kept')
    .addOption(separatorOption())
    .action(exportTo)
  store(catalog.command('import').description('Take tables into a store, all of them or nothing'))
    .argument('<path>', 'a folder of tables, one table as CSV, or a JSON file')
    .option('--table <name>', `what a CSV holds, where its name does not say it: ${tableNames.join(', ')}`)
    .option('--keep-sources', 'keep the files of films beside their streams, so that an export may take them along')
    .option('--dry-run', 'say all that is wrong and what would change, and change nothing')
    .option('--remove', 'take out what is not in the tables; products that are not are ended')
    .action(importFrom)
}
