import { join } from 'node:path'
import type { FilmExport, OmittedFilm } from '#api/modules/import-export/export-catalog.ts'
import { exportCatalog, type Reference } from '#api/modules/import-export/export-catalog.ts'
import { withCategoryPaths } from '#api/modules/import-export/tables/categories.ts'
import { formatSize } from '#api/modules/media/video-sources.ts'
import { isObject } from '#api/modules/tenancy/check-settings.ts'
import { inStore, type StoreOptions } from '../platform/open.ts'
import { printRows } from '../platform/print.ts'
import { pictures } from './read-settings.ts'
import { copyFilms, copyMedia, isJson, writeTables } from './write-files.ts'

export interface ExportOptions extends StoreOptions {
  tables: string[]
  media?: true
  videos?: true
  separator: string
}

const omissionReasons: Record<Exclude<OmittedFilm['reason'], 'NOT_REQUESTED'>, string> = {
  NOT_RETAINED: 'because its source file was deleted (--keep-source keeps it)',
  LOST: 'because its source file is missing on this machine',
}

/**
 * Reports everything that was not exported: another store imports the tables only when each such
 * cell names a file or is empty.
 */
const printFilms = ({ files, omitted }: FilmExport, bytes: number) => {
  const films = [...files.keys()].filter((path) => path.includes('/film/')).length
  if (films > 0) console.log(`Films exported: ${films}, ${formatSize(bytes)} in total.`)
  const notRequested = omitted.filter(({ reason }) => reason === 'NOT_REQUESTED').length
  if (notRequested > 0)
    console.log(
      `Films not exported: ${notRequested}. Their cells (store:…) are valid in this store only. Use --videos to export films whose source files were kept.`,
    )
  for (const { table, row, reason } of omitted)
    if (reason !== 'NOT_REQUESTED')
      console.error(
        `${table}, ${row}: the film was not exported ${omissionReasons[reason]}. Its cell refers to the video in this store.`,
      )
}

/** Names the pictures of settings by the paths at which they are exported, if they are. */
const withPicturePaths = (settings: Record<string, unknown>, reference: Reference) => {
  const exported = structuredClone(settings)
  for (const field of pictures) {
    const [group = '', name = ''] = field.split('.')
    const holder = exported[group]
    const url = isObject(holder) ? holder[name] : undefined
    if (!isObject(holder) || typeof url !== 'string' || !url.startsWith('/media/brand/')) continue
    const path = reference(url.slice('/media/'.length), 'PICTURE')
    if (path.startsWith('media/')) holder[name] = path
  }
  return exported
}

/** Exports a store's tables and, where requested, its settings, files and films. */
export const exportTo = async (path: string, options: ExportOptions) => {
  const neededKeys = new Set<string>()
  const reference: Reference = (key, kind) => {
    if (!options.media || kind === 'VIDEO') return `store:${key}`
    neededKeys.add(key)
    return `media/${key}`
  }
  const folder = isJson(path) ? join(path, '..') : path
  const { counts, films, bytes } = await inStore(options, async (ctx, { storage, sources }) => {
    const out: FilmExport = { sources, wanted: options.videos === true, files: new Map(), omitted: [] }
    const written = await ctx.inTransaction(async (tx) => {
      const { customer } = ctx
      const settings = options.tables.includes('settings')
        ? withPicturePaths(
            await withCategoryPaths({ db: tx.db, customerId: customer.id }, customer.settings),
            reference,
          )
        : null
      return writeTables(path, exportCatalog(tx, options.tables, reference, out), {
        separator: options.separator,
        settings,
      })
    })
    const missing = await copyMedia(storage, neededKeys, folder)
    for (const key of missing) console.error(`${key} is missing from the store’s storage.`)
    return { counts: written, films: out, bytes: await copyFilms(out, folder) }
  })
  printRows(counts, 'No tables selected.')
  printFilms(films, bytes)
}
