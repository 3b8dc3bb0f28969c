import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  inBrowser,
  inCalls,
  inData,
  inErrors,
  inNavigation,
  inRoutes,
  inSession,
  inShell,
  titleOf,
} from './statements/statement.ts'
import { statements } from './statements.ts'
import { titlesIn } from './written-tests.ts'

/**
 * How many statements each section of the specification makes. One that is dropped here is dropped
 * on purpose.
 */
const statementsBySection = { 1: 32, 2: 72, 3: 37, 4: 13, 5: 7, 6: 8, 7: 38, 8: 17, 9: 19 }

const proofs = statements.flatMap((statement) => {
  if (!('covered' in statement.standing)) return []
  const { covered } = statement.standing
  return [{ file: covered.file, title: 'title' in covered ? covered.title : titleOf(statement) }]
})

describe('The specification', () => {
  test('stands here whole, and says nothing twice', () => {
    const counted = Object.groupBy(statements, ({ section }) => section)
    expect(Object.fromEntries(Object.entries(counted).map(([number, made]) => [number, made?.length]))).toEqual(
      statementsBySection,
    )
    const titles = statements.map(titleOf)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })

  test('is covered by tests that exist', () => {
    const written = new Map([...new Set(proofs.map(({ file }) => file))].map((file) => [file, titlesIn(file)]))
    const missing = proofs.filter(({ file, title }) => !written.get(file)?.includes(title))
    expect(missing).toEqual([])
  })

  test('has made every statement that a test here names', () => {
    const made = new Set(statements.map(titleOf))
    const files = [inNavigation, inShell, inErrors, inData, inCalls, inBrowser, inSession, inRoutes].flatMap(
      (standing) => ('covered' in standing ? [standing.covered.file] : []),
    )
    for (const file of files) {
      const titles = titlesIn(file)
      expect(
        titles.filter((title) => !made.has(title)),
        file,
      ).toEqual([])
      expect(
        titles.filter((title, at) => titles.indexOf(title) !== at),
        file,
      ).toEqual([])
    }
  })

  test('is decided, where it leaves something open, by a file that exists', () => {
    const decided = statements.flatMap(({ standing }) => ('decidedIn' in standing ? [standing.decidedIn] : []))
    expect(decided.filter((file) => !existsSync(file))).toEqual([])
  })
})
