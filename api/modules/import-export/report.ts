import type { StoreImported } from '#contract/admin/imports.ts'
import type { CatalogImportId, ProductCode } from '#contract/ids.ts'

/** A problem in the imported files: its location, the value and a valid alternative. */
export interface ImportProblem {
  file: string
  /**
   * Counted as in a spreadsheet: the heading is row 1. Null if the problem concerns the whole file.
   */
  row: number | null
  column: string | null
  value: string | null
  /** A valid value, as the end of "must …" or as a separate sentence. */
  message: string
}

export interface Counts {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** Rows of the store that are not in the file and remain unchanged. */
  notInFile: number
}

/** A cell that an import changed or would change, with both values in the table's format. */
export interface CellChange {
  table: string
  key: string
  column: string
  from: string
  to: string
}

/** Changed cells. Only the first ones are listed. */
export interface Changes {
  list: CellChange[]
  unlisted: number
}

/** The capacity of a report and its audit entry. */
const maxChanges = 500
const maxValueLength = 200

const shortened = (text: string) => (text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text)

/** Adds a change to the list. Beyond the limit it is only counted, and `describe` is not called. */
export const addChange = (changes: Changes, describe: () => CellChange) => {
  if (changes.list.length >= maxChanges) {
    changes.unlisted++
    return
  }
  const { from, to, ...cell } = describe()
  changes.list.push({ ...cell, from: shortened(from), to: shortened(to) })
}

export interface ImportReport {
  changes: Changes
  problems: ImportProblem[]
  /** The number of problems that are not listed. */
  unlisted: number
  tables: { file: string; table: string; counts: Counts }[]
}

/** As many as a person reads. A file in the wrong format would otherwise fill the memory. */
const maxProblems = 10_000

export interface Problems {
  list: ImportProblem[]
  unlisted: number
  add: (problem: ImportProblem) => void
}

/** Creates a collection of an import's problems. It keeps the first ones and counts the rest. */
export const collectProblems = (): Problems => {
  const problems: Problems = {
    list: [],
    unlisted: 0,
    add: (problem) => {
      if (problems.list.length < maxProblems) problems.list.push(problem)
      else problems.unlisted++
    },
  }
  return problems
}

/** Rows of each kind in an answer. Their counts tell of all of them. */
const listedRows = 200

const noCounts: Counts = { added: 0, changed: 0, unchanged: 0, removed: 0, notInFile: 0 }

/** Describes the import of a table as the API answers it. `id` undoes it. */
export const viewReport = (
  { problems, unlisted, tables, changes, notReady }: ImportReport & { notReady: readonly ProductCode[] },
  id: CatalogImportId | null,
): StoreImported => ({
  id,
  problems: problems.slice(0, listedRows).map(({ file: _, ...problem }) => problem),
  problemCount: problems.length + unlisted,
  counts: tables[0]?.counts ?? noCounts,
  changes: changes.list.slice(0, listedRows).map(({ table: _, ...change }) => change),
  changeCount: changes.list.length + changes.unlisted,
  notReady: notReady.slice(0, listedRows),
  notReadyCount: notReady.length,
})

/** Describes a file that cannot be read at all. */
export const unreadableFile = (message: string): StoreImported => {
  const problem = { file: '', row: null, column: null, value: null, message }
  const nothing = { problems: [problem], unlisted: 0, tables: [], changes: { list: [], unlisted: 0 }, notReady: [] }
  return viewReport(nothing, null)
}
