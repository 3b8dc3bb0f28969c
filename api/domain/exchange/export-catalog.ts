import type { Ctx } from '#api/context.ts'
import type { FileKind } from './cells.ts'
import { exportFilms, type FilmsOut } from './export-films.ts'
import { type ExportedTable, exportTable } from './export-table.ts'
import { noFilms } from './prepare-media.ts'
import { tables } from './tables.ts'
import { inLanguages } from './translated.ts'
import { waitingPath } from './videos.ts'
import { openWork } from './work.ts'

/** How a cell names what the store keeps: `store:…`, or a path where the file goes along. */
export type Reference = (key: string, kind: FileKind) => string

/** The tables of a store's catalogue, one after the other, each to be read to its end before the next. */
export async function* exportCatalog(
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  wanted: readonly string[],
  reference: Reference,
  films: FilmsOut,
): AsyncGenerator<ExportedTable> {
  const plain = { url: '', width: 0, height: 0, alt: '', color: '', sources: [] }
  const media = { found: new Map(), pictures: new Map(), files: new Map(), films: noFilms() }
  for (const plainTable of tables.filter(({ name }) => wanted.includes(name))) {
    const table = inLanguages(plainTable, customer.settings)
    const named: Reference = (key, kind) => waitingPath(key) ?? (kind === 'CHAPTERS' ? key : reference(key, kind))
    const work = await openWork({ db, customer, now: clock.now().toISOString(), plain, media, reference: named })
    const withFilms = table.columns.some(({ file }) => file === 'VIDEO')
    yield exportTable(work, table, withFilms ? (rows) => exportFilms(work, table.name, rows, films) : undefined)
  }
}
