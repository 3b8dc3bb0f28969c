import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Commits after this one follow Conventional Commits. */
const base = 'a1ec305ec84f78b9de3602af8e80ebef76b24312'
const subject =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9][a-z0-9, /-]*\))?!?: \S.*[^.\s]$/

const git = (...parameters: string[]) => execFileSync('git', parameters, { encoding: 'utf8', stdio: 'pipe' })

/** Null where there is no history: a downloaded archive, or a shallow clone. */
const subjectsSince = (commit: string): string[] | null => {
  try {
    return git('log', '--no-merges', '--format=%s', `${commit}..HEAD`).split('\n').filter(Boolean)
  } catch {
    return null
  }
}

test('subjects of commits follow Conventional Commits and have at most 72 characters', ({ skip }) => {
  const subjects = subjectsSince(base) ?? skip('the history is not there')
  expect(subjects.filter((line) => !subject.test(line) || line.length > 72)).toEqual([])
})
