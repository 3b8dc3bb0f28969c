import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consolePureFunctions, storefrontPureFunctions } from '../../scripts/pure-functions.ts'

/** Whether a file imports a name from the contract or from Zod, or is the contract's own. */
const isContracts = (file: string, code: string, name: string) =>
  (file.startsWith('contract/') && new RegExp(`^(?:export )?const ${name}\\b`, 'm').test(code)) ||
  new RegExp(`^import [^;'"]*\\b${name}\\b[^;'"]* from '(?:#contract/|\\.{1,2}/|zod/)`, 'm').test(code)

for (const [folder, functions] of [
  ['app', storefrontPureFunctions],
  ['admin', consolePureFunctions],
] as const)
  test(`names of pure functions mean nothing else in ${folder} and the contract`, () => {
    const names = functions.filter((name) => !(name in globalThis))
    expect(names).toContain('textUpTo')
    const others = globSync([`${folder}/**/*.{ts,tsx}`, 'contract/**/*.ts']).flatMap((file) => {
      const code = readFileSync(file, 'utf8')
      return names
        .filter(
          (name) => new RegExp(`(?<![\\w.$'])${name}(?:<[^>]*>)?[(.]`).test(code) && !isContracts(file, code, name),
        )
        .map((name) => `${file}: ${name}`)
    })
    expect(others).toEqual([])
  })
