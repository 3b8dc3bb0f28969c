import type { Imported } from '#api/modules/import-export/import-catalog.ts'
import type { ImportReport } from '#api/modules/import-export/report.ts'
import type { SettingChange } from '#api/modules/tenancy/settings.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { oneLine, printRows } from '../platform/print.ts'

const shown = (value: string | null) =>
  value === null ? '' : ` “${value.length > 60 ? `${value.slice(0, 60)}…` : value}”`

/**
 * Prints one line per problem: its place, the message and a valid value. Ends the command where
 * there is one.
 */
export const refuseProblems = (
  { problems, unlisted }: Pick<ImportReport, 'problems' | 'unlisted'>,
  nothing = 'Nothing was imported',
) => {
  for (const { file, row, column, value, message } of problems) {
    const place = [file, row === null ? '' : `row ${row}`, column ?? ''].filter(Boolean).join(', ')
    console.error(`${place}:${shown(value)} ${message}${/[.?!]$/.test(message) ? '' : '.'}`.replace(/\s+/g, ' '))
  }
  if (unlisted > 0) console.error(`… and ${unlisted} more.`)
  const count = problems.length + unlisted
  if (count > 0) throw new OperatorError(`${nothing}: ${count === 1 ? 'one thing is' : `${count} things are`} wrong.`)
}

/** The maximum number of changed cells to print. The audit log contains all of them. */
const maxPrinted = 100

/**
 * Prints the old and new value of each changed cell: `options, K100 / Own it, price: 12.00 →
 * 10.00`.
 */
const printChanges = ({ list, unlisted }: ImportReport['changes']) => {
  for (const { table, key, column, from, to } of list.slice(0, maxPrinted))
    console.log(oneLine(`${[table, key, column].filter(Boolean).join(', ')}: ${quoted(from)} → ${quoted(to)}`))
  const more = Math.max(0, list.length - maxPrinted) + unlisted
  if (more > 0) console.log(`… and ${more} more changed values.`)
  if (list.length > 0) console.log()
}

const quoted = (value: string) => (value === '' ? '(empty)' : value.length > 60 ? `${value.slice(0, 60)}…` : value)

const maxUnused = 10

/** Prints the pictures beside the tables that no cell names. */
export const printUnused = (paths: readonly string[]) => {
  if (paths.length === 0) return
  const more = paths.length > maxUnused ? ` and ${paths.length - maxUnused} more` : ''
  const names = paths.slice(0, maxUnused).map(oneLine).join(', ')
  console.log(`No table names ${paths.length === 1 ? 'this picture' : 'these pictures'}: ${names}${more}.\n`)
}

/** Prints the result of an import, or of a dry run. `code` names the store of its products. */
export const printImport = (
  { tables, videos, changes, notReady }: Pick<Imported, 'tables' | 'videos' | 'changes' | 'notReady'>,
  settings: { changes: number; of: number; list?: readonly SettingChange[] } | null,
  { dry, code = '' }: { dry: boolean; code?: string },
) => {
  const named = (settings?.list ?? []).map(({ name, from, to }) => ({
    table: 'settings',
    key: name,
    column: '',
    from: JSON.stringify(from),
    to: JSON.stringify(to),
  }))
  printChanges({ list: [...named, ...changes.list], unlisted: changes.unlisted })
  printRows(
    [
      ...tables.map(({ file, counts: { notInFile, ...counts } }) => ({
        file,
        ...counts,
        'not in the file': notInFile,
      })),
      ...(settings
        ? [
            {
              file: 'settings',
              added: 0,
              changed: settings.changes,
              unchanged: settings.of - settings.changes,
              removed: 0,
              'not in the file': 0,
            },
          ]
        : []),
    ],
    'The tables are empty.',
  )
  if (videos.length > 0)
    console.log(`Videos ${dry ? 'to be' : 'being'} encoded: ${videos.length}. See: npm run cli -- videos -c ${code}`)
  const [example] = notReady
  if (example !== undefined) {
    const first = notReady.slice(0, 5).join(', ')
    const many = notReady.length === 1 ? 'One product has' : `${notReady.length} products have`
    console.log(
      `${many} nothing to watch or download yet: ${first}${notReady.length > 5 ? ', …' : ''}. The status stays ON_SALE, but a product is neither listed nor sold until it has an encoded video or a file.`,
    )
    if (videos.length < notReady.length)
      console.log(
        `Add a row to attachments.csv, or a video: npm run cli -- video add -c ${code} --product ${example} film.mp4`,
      )
  }
  if (dry) console.log('Dry run: no changes were saved.')
}
