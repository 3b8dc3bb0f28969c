import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Imports without texts: the engine of the player, and the calendar. */
const withoutTexts = /^app\/(?:ui\/|features\/playback\/player\/(?:load|open)-engine\.ts)/

test('parts that are loaded later wait for their messages', () => {
  const unguarded = globSync('app/**/*.{ts,tsx}')
    .filter((file) => !withoutTexts.test(file) && !file.endsWith('routeTree.gen.ts'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /(?<!typeof )\bimport\('/.test(line) && !line.includes('withMessages(import('))
        .map((line) => `${file}: ${line.trim()}`),
    )
    // The modal container waits for these, and the dialog and the contract have no texts of their
    // own. A page has the texts of its route, and each navigation waits for all.
    .filter(
      (line) =>
        !/^app\/modals\/|import\('(?:~\/ui\/dialog|#contract\/.*|virtual:routes\/\w+|.*\/cards-in-view)'\)/.test(line),
    )
  expect(unguarded).toEqual([])
})

/** Parts of pages that have loaded all messages, code without texts, and the routes. */
const ofConsolePages =
  /^admin\/(?:main|ui\/(?:html-field|lazy-dialog)|platform\/notifications|features\/analytics\/chart-parts)\.tsx?:/

test('pages and later parts of the console wait for their messages', () => {
  const unguarded = globSync('admin/**/*.{ts,tsx}').flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const guarded = /\b(?:page\(\(\) =>|lazyPart\(\s*async \(\) => \(\{\s*default: \(await)\s+import\('\.[^']*'\)/g
    return Array.from(
      code.replace(guarded, '').matchAll(/(?<!typeof )\bimport\('[.~][^']*'\)/g),
      ([text]) => `${file}: ${text}`,
    )
  })
  expect(unguarded.filter((line) => !ofConsolePages.test(line))).toEqual([])
})

test('texts of the API are calls of i18n._, which the extraction of messages finds', () => {
  const missed = globSync('api/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /\)\._\(/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(missed).toEqual([])
})
