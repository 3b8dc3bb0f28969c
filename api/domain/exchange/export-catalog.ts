import type { Ctx } from '#api/context.ts'
import type { FileKind } from './cells.ts'
import { type ExportedTable, exportTable } from './export-table.ts'
import { tables } from './tables.ts'
import { openWork } from './work.ts'

/** How a cell names what the store keeps: `store:…`, or a path where the file goes along. */
export type Reference = (key: string, kind: FileKind) => string

/** The tables of a store's catalogue, one after the other, each to be read to its end before the next. */
export async function* exportCatalog(
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  wanted: readonly string[],
  reference: Reference,
): AsyncGenerator<ExportedTable> {
  const plain = { url: '', width: 0, height: 0, alt: '', color: '', sources: [] }
  const media = { found: new Map(), pictures: new Map(), files: new Map(), videoBytes: new Map() }
  for (const table of tables.filter(({ name }) => wanted.includes(name))) {
    const work = await openWork({ db, customer, now: clock.now().toISOString(), plain, media, reference })
    yield exportTable(work, table)
  }
}
