import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const guide = readFileSync('docs/follow-one-action.md', 'utf8')

/** The files that a table of the guide lists, below its first heading. */
const filesOf = (heading: string) => {
  const table = guide.slice(guide.indexOf(`| ${heading} | files |`)).split('\n\n')[0] ?? ''
  let folder = ''
  return [...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    if (name.includes('/')) folder = dirname(name)
    return name.includes('/') ? name : join(folder, name)
  })
}

test.each([
  ['show a list', 15],
  ['choose a language', 6],
  ['choose an appearance', 8],
  ['sign in', 12],
  ['buy and watch', 40],
])('%s is documented in at most %i files, all of which exist', (heading, limit) => {
  const files = filesOf(heading)
  expect(files.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
  expect(files.length).toBeGreaterThanOrEqual(limit / 2)
  expect(files.length).toBeLessThanOrEqual(limit)
})

const folders = 'api,app,cli,contract,demo,deploy,docs,public,scripts,server,tests'
const inFolder = new RegExp(`^(?:${folders.replaceAll(',', '|')})/[^*<>{}…]*$`)
const fileName = /^[\w$@[][\w$@[\].-]*(?:\/[\w$@[\].-]+)*\.(?:tsx?|css|md|sql)$/

/**
 * Names of files and folders of the repository in the code spans of a text. Patterns and
 * placeholders are none, nor are folders that are generated, such as `data/`.
 */
const pathsIn = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .filter((word) => inFolder.test(word) || fileName.test(word))

const sources = globSync(`{${folders}}/**/*.{ts,tsx,css,md,sql}`)

/**
 * Whether a path exists. Imports are named without their ending, files also by the end of their
 * path.
 */
const isInRepository = (path: string) =>
  existsSync(path) || existsSync(`${path}.ts`) || sources.some((file) => file.endsWith(`/${path}`))

test('paths are found in text', () => {
  const text =
    '`api/deps`, `npm run test:one -- tests/api/cart.test.ts`, `cart.ts`, `*.schema.ts`, `app/<feature>`, `data/`, `.ts`'
  expect(pathsIn(text)).toEqual(['api/deps', 'tests/api/cart.test.ts', 'cart.ts'])
  expect(['api/deps', 'orders/cart.ts', 'api/modules/no.ts', 'no-such.ts'].filter(isInRepository)).toEqual([
    'api/deps',
    'orders/cart.ts',
  ])
})

test.each(['README.md', 'CONTRIBUTING.md', ...globSync('docs/{,guides/}*.md')])(
  'files that %s names exist',
  (document) => {
    expect(pathsIn(readFileSync(document, 'utf8')).filter((path) => !isInRepository(path))).toEqual([])
  },
)

test('docs/guides/build.md lists the plugins of the build', () => {
  const pluginNames = (text: string) => [
    ...new Set(Array.from(text.matchAll(/\bmarquee:[a-z-]+(?=['`])/g), ([name]) => name)),
  ]
  const sources = globSync(['*.config.ts', 'scripts/*.ts', 'server/dev-server.ts']).map((file) =>
    readFileSync(file, 'utf8'),
  )
  const names = pluginNames(sources.flatMap((text) => text.match(/name: '[^']+'/g) ?? []).join('\n'))
  expect(names.length).toBeGreaterThan(5)
  expect(pluginNames(readFileSync('docs/guides/build.md', 'utf8')).toSorted()).toEqual(names.toSorted())
})
