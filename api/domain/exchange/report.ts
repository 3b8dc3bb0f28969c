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

export interface ImportReport {
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
