import { join } from 'node:path'
import { exportCatalog, type Reference } from '#api/domain/exchange/export-catalog.ts'
import { inStore, type StoreOptions } from '../open.ts'
import { printRows } from '../print.ts'
import { copyMedia, isJson, writeTables } from './write-files.ts'

export interface ExportOptions extends StoreOptions {
  tables: string[]
  media?: true
  separator: string
}

/** Writes a store's tables, and its settings and files with them where they are wanted. */
export const exportTo = async (path: string, options: ExportOptions) => {
  const wanted = new Set<string>()
  const reference: Reference = (key, kind) => {
    if (!options.media || kind === 'VIDEO') return `store:${key}`
    wanted.add(key)
    return `media/${key}`
  }
  const folder = isJson(path) ? join(path, '..') : path
  const counts = await inStore(options, async (env, deps) => {
    const settings = options.tables.includes('settings') ? env.customer.settings : null
    const written = await env.inTransaction((ctx) =>
      writeTables(path, exportCatalog(ctx, options.tables, reference), { separator: options.separator, settings }),
    )
    const missing = await copyMedia(deps.storage, wanted, folder)
    for (const key of missing) console.error(`The store has lost ${key}: it is named, and not there.`)
    return written
  })
  printRows(counts, 'Nothing was asked for.')
}
