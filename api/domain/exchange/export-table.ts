import type { Column, Facts, Values } from './cells.ts'
import type { Kept, TableOf } from './table.ts'

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

/** `dress` may change what rows say before it is written. */
export const exportTable = <W extends { facts: Facts }>(
  work: W,
  table: TableOf<W>,
  dress?: (rows: readonly Kept[]) => Promise<void>,
): ExportedTable => {
  const rows = async function* () {
    for await (const kept of table.all(work)) {
      await dress?.(kept)
      yield kept.map(({ values }) => {
        const cells = table.columns.map((column) => [
          column.name,
          column.write(values[column.name] ?? null, work.facts),
        ])
        return { values, cells: Object.fromEntries(cells) }
      })
      table.rests?.(work)
    }
  }
  return { table: table.name, columns: table.columns, rows: rows() }
}
