/** What shows that a statement holds, or where it is decided. Exactly one of the two. */
type Standing =
  /**
   * A test by its file and its title as it stands in the source, with `…` for what is filled in.
   */
  | { covered: { file: string; title: string } | { file: string } }
  /** The specification itself leaves it open; the file where it is decided. */
  | { decidedIn: string }

/**
 * One sentence, table row or list item of the specification, in its own words as far as they are
 * needed.
 */
export interface Statement {
  section: number
  words: string
  standing: Standing
}

/** Statements of one section, in the order of the specification. */
export const section = (number: number, rows: readonly (readonly [words: string, standing: Standing])[]): Statement[] =>
  rows.map(([words, standing]) => ({ section: number, words, standing }))

/** The title of a test that stands here for a statement. */
export const titleOf = ({ section: number, words }: Pick<Statement, 'section' | 'words'>) => `§${number} ${words}`

/** Covered by a test that bears the statement as its title. */
const own = (file: string): Standing => ({ covered: { file } })

export const inNavigation = own('tests/conformance/navigation.test.ts')
export const inShell = own('tests/conformance/shell.test.ts')
export const inErrors = own('tests/conformance/errors.test.ts')
export const inData = own('tests/conformance/data.test.ts')
export const inCalls = own('tests/conformance/calls.test.ts')
export const inBrowser = own('tests/e2e/conformance.spec.ts')
export const inSession = own('tests/e2e/conformance-session.spec.ts')
export const inRoutes = own('tests/conformance/routes.test.ts')

/** Covered by a test of another name, which stands elsewhere. */
export const by = (file: string, title: string): Standing => ({ covered: { file: `tests/${file}`, title } })

/** The same for a test that is beside the code. */
export const besideCode = (file: string, title: string): Standing => ({ covered: { file, title } })

export const decidedIn = (file: string): Standing => ({ decidedIn: file })
