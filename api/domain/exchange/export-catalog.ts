import type { Ctx } from '#api/context.ts'
import type { Column, FileKind, Values } from './cells.ts'
import { tables } from './tables.ts'
import { openWork } from './work.ts'

/** A row as a table's cells say it, and what they mean. */
export interface ExportedRow {
  cells: Record<string, string>
  values: Values
}

/** A table as it leaves the store, rows some at a time. */
export interface ExportedTable {
  table: string
  columns: readonly Column[]
  rows: AsyncIterable<ExportedRow[]>
}

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
    const rows = async function* () {
      for await (const kept of table.all(work)) {
        yield kept.map(({ values }) => {
          const cells = table.columns.map((column) => [
            column.name,
            column.write(values[column.name] ?? null, work.facts),
          ])
          return { values, cells: Object.fromEntries(cells) }
        })
        work.pictures.clear()
      }
    }
    yield { table: table.name, columns: table.columns, rows: rows() }
  }
}
