/** Something wrong with what was handed in: where it stands, what it says, and what would be right. */
export interface Problem {
  file: string
  /** As a spreadsheet counts: the heading is row 1. Null: it concerns the whole file. */
  row: number | null
  column: string | null
  value: string | null
  /** What would be right, as the end of "must …" or a sentence of its own. */
  right: string
}

export interface Counts {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** Of the store, not in the file, and left as they are. */
  left: number
}

/** One cell that an import changed, or would change: both values as the table writes them. */
export interface CellChange {
  table: string
  /** What the row is known by. */
  key: string
  column: string
  from: string
  to: string
}

/** Changed cells, the first of them one by one. */
export interface Changes {
  list: CellChange[]
  unlisted: number
}

/** As many as a report and its audit entry hold. */
const mostChanges = 500
const longestValue = 200

const shortened = (text: string) => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)

/** Adds a change to the list. Beyond the most that are listed it is counted alone, and `describe` is not called. */
export const noteChange = (changes: Changes, describe: () => CellChange) => {
  if (changes.list.length >= mostChanges) {
    changes.unlisted++
    return
  }
  const { from, to, ...cell } = describe()
  changes.list.push({ ...cell, from: shortened(from), to: shortened(to) })
}

export interface ImportReport {
  changes: Changes
  problems: Problem[]
  /** Problems beyond those that are listed. */
  unlisted: number
  tables: { file: string; table: string; counts: Counts }[]
}

/** As many as a person reads; a file of another make would fill the memory with them. */
const most = 10_000

export interface Problems {
  list: Problem[]
  unlisted: number
  add: (problem: Problem) => void
}

export const collectProblems = (): Problems => {
  const problems: Problems = {
    list: [],
    unlisted: 0,
    add: (problem) => {
      if (problems.list.length < most) problems.list.push(problem)
      else problems.unlisted++
    },
  }
  return problems
}
