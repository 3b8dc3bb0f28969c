/** A row as it stands in a file. `wrong` where the file itself cannot be read there. */
export interface SourceRow {
  row: number
  cells: Record<string, string>
  wrong?: { column: string | null; value: string | null; right: string }
}

/** A table that was handed in; its rows are read anew each time. */
export interface SourceTable {
  table: string
  file: string
  columns: readonly string[]
  rows: () => AsyncIterable<SourceRow>
}

/** The files beside the tables. */
export interface SourceFiles {
  /** Null where it is not there; a sentence where it may not be read. */
  open: (path: string) => Promise<{ path: string; bytes: number } | string | null>
}
