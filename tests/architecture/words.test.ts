import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/**
 * Words that no name of the code contains, with the words that replace them. Only words without a
 * rightful use are listed; a wish list, for instance, is a term of the product.
 */
const replacements: Record<string, string> = {
  asked: 'requested',
  desk: 'admin',
  heir: 'successor',
  kept: 'saved, cached or retained',
  lettering: 'fonts',
  marks: 'viewer state',
  meant: 'suggestion',
  moment: 'time, or caption match',
  moments: 'times, or caption matches',
  nameless: 'isAnonymous',
  patience: 'timeout or retry policy',
  provisions: 'fulfillments',
  reckon: 'calculate',
  said: 'text',
  seal: 'encrypt',
  shelf: 'product index or sections',
  shelves: 'sections',
  sitting: 'request scope',
  stretch: 'range or segment',
  tend: 'maintain or recover',
  told: 'notified or handled',
  undue: 'unapplied',
  unseal: 'decrypt',
  verb: 'use case, command or statement',
}

/** Names that contain a replaced term of several words. */
const replacedTerms =
  /^(?:most|least)(?:[A-Z]|$)|Words(?:Of)?$|[gG]iveBack|[hH]andThrough|[wW]ish(?!List|list)|[tT]icket/
const rightful = /^(?:mostPlayed|mostSpecific)$|(?:[sS]earch|query|adjacent)Words$/

/** Names that are right in one file: real objects that the demo draws. */
const rightfulIn: Record<string, readonly string[]> = {
  'demo/art/scenes/making.ts': ['sealX', 'sealY'],
  'demo/film/scenes/lesson-brush.ts': ['SEAL_AT', 'seal'],
  'demo/film/scenes/lesson-code.ts': ['desk'],
}

/** The list above, which names the words. */
const ownFile = 'tests/architecture/words.test.ts'

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const isReplaced = (name: string) =>
  wordsOf(name).some((word) => Object.hasOwn(replacements, word)) || (replacedTerms.test(name) && !rightful.test(name))

/** Names in a file that the product has replaced, and the file's own name. */
const replacedNames = (file: string, text: string): string[] => {
  const names = new Set([basename(file)])
  const add = ({ name }: { name: string }) => void names.add(name)
  new Visitor({ Identifier: add, JSXIdentifier: add }).visit(parseSync(file, text).program)
  return [...names]
    .filter((name) => isReplaced(name) && !rightfulIn[file]?.includes(name))
    .map((name) => `${file}: ${name}`)
}

test('replaced names are found', () => {
  const text = 'const { undueMoney, wishList } = product_shelf\nconst mostDays = handThrough(ProductWish)'
  expect(replacedNames('app/keep-shelves.ts', text)).toEqual(
    ['keep-shelves.ts', 'undueMoney', 'product_shelf', 'mostDays', 'handThrough', 'ProductWish'].map(
      (name) => `app/keep-shelves.ts: ${name}`,
    ),
  )
})

test('no name in the repository uses a word that was replaced', () => {
  const files = globSync('{api,app,cli,contract,server,tests,scripts,demo}/**/*.{ts,tsx}').filter(
    (file) => file !== ownFile && !file.includes('routeTree.gen'),
  )
  expect(files.flatMap((file) => replacedNames(file, readFileSync(file, 'utf8')))).toEqual([])
})
