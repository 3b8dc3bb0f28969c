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
  const files = globSync('{api,app,admin,cli,contract,server,tests,scripts,demo}/**/*.{ts,tsx}').filter(
    (file) => file !== ownFile && !file.includes('routeTree.gen'),
  )
  expect(files.flatMap((file) => replacedNames(file, readFileSync(file, 'utf8')))).toEqual([])
})

/**
 * Phrases that no comment, message or description contains: metaphors, and sentences that readers
 * had to read twice.
 */
const refusedPhrases: readonly RegExp[] = [
  /\b(?:give|gives|given|giving) (?:(?:it|them|money|a payment|a charge) )?(?:back|again)\b/i,
  /\b(?:take|takes|taken) (?:it |a \w+ )?back\b/i,
  /\bwhat came\b|\bcame of\b/i,
  /\b(?:is|are) gone\b/i,
  /\bno room\b/i,
  /\bas one likes\b|\bthe plan one has\b/i,
  /(?<!\bthere )\bis none(?:[.,;]|$| of ours)/i,
  /\btid(?:y|ied) away\b|\bleft (?:there|to the sweep)\b/i,
  /\bof its own (?:place|accord)\b/i,
  /\banswers where\b|\bwhere the browser goes\b/i,
  /\bhand(?:s|ed)? in\b/i,
  /\be-mail/i,
]

const isRefused = (text: string) => refusedPhrases.some((phrase) => phrase.test(text))

/** A comment or JSX text as one line. */
const oneLine = (text: string) => text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')

/** The refused phrases in the comments, strings and texts of a file. */
const refusedTexts = (file: string, source: string): string[] => {
  // Few files contain a phrase at all, so few are parsed.
  if (!isRefused(oneLine(source))) return []
  const { program, comments } = parseSync(file, source)
  const texts = comments.map(({ value }) => oneLine(value))
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? value.raw),
    JSXText: ({ value }) => void texts.push(oneLine(value)),
  }).visit(program)
  return texts.filter(isRefused).map((text) => `${file}: ${text.trim().slice(0, 120)}`)
}

test('refused phrases are found in comments, strings and texts', () => {
  const source = `/** Gives it\n * back. */\nconst a = 'It is gone'\nconst b = \`\${a} is none.\`\nconst c = <p>Take it back</p>\n// a gift`
  expect(refusedTexts('x.tsx', source)).toHaveLength(4)
})

test('no comment or text uses a refused phrase', () => {
  const files = globSync('{api,app,admin,cli,contract,server}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$|routeTree\.gen|\/locales\//.test(file),
  )
  expect(files.flatMap((file) => refusedTexts(file, readFileSync(file, 'utf8')))).toEqual([])
})
