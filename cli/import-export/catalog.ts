import { type Command, InvalidArgumentError, Option } from 'commander'
import { exportTo } from './export.ts'
import { importFrom } from './import.ts'
import { tableNames } from './read-source.ts'

const allNames = [...tableNames, 'settings']

export const separatorOption = () =>
  new Option('--separator <character>', 'separator of CSV cells').choices([',', ';', 'tab']).default(',')

const readTables = (text: string) => {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !allNames.includes(name))
  if (unknown) throw new InvalidArgumentError(`There is no table ${unknown}. Use one of: ${allNames.join(', ')}.`)
  return names
}

/** Commands that export and import a store's catalogue. */
export const catalogCommands = (program: Command, store: (command: Command) => Command) => {
  const catalog = program.command('catalog').description('Import or export a store’s catalog')
  store(catalog.command('export').description('Export a store’s tables to CSV files or to one JSON file'))
    .argument('<path>', 'a folder, or a file that ends in .json')
    .addOption(
      new Option('--tables <names>', `which, of ${allNames.join(', ')}`).argParser(readTables).default(allNames, 'all'),
    )
    .option('--media', 'include pictures and files')
    .option('--videos', 'include films whose source files were kept')
    .addOption(separatorOption())
    .action(exportTo)
  store(catalog.command('import').description('Import tables into a store, all or nothing'))
    .argument('<path>', 'a folder of tables, one table as CSV, or a JSON file')
    .option('--table <name>', `the table of a CSV file that is not named after it: ${tableNames.join(', ')}`)
    .option('--keep-sources', 'keep source films so that they can be exported')
    .option('--dry-run', 'show errors and changes without applying them')
    .option('--remove', 'remove rows that are not in the tables; missing products are ended')
    .action(importFrom)
}
