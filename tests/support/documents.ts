import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, '../../docs')

/** The text of a document, such as `guides/back-up.md`. */
export const readDocument = (name: string) => readFileSync(join(folder, name), 'utf8')

/** The block of a document in this language that has this text. */
export const blockOf = (document: string, language: string, text: string) => {
  const blocks = Array.from(document.matchAll(/```(\w+)\n([^`]*)```/g), ([, name, block = '']) => ({ name, block }))
  const found = blocks.find(({ name, block }) => name === language && block.includes(text))
  return found?.block ?? expect.fail(`The document has no ${text}`)
}
