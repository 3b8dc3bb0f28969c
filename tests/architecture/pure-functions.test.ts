import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Whether a file imports a name from the contract or from Zod, or is the contract's own. */
const isContracts = (file: string, code: string, name: string) =>
  (file.startsWith('contract/') && new RegExp(`^(?:export )?const ${name}\\b`, 'm').test(code)) ||
  new RegExp(`^import [^;'"]*\\b${name}\\b[^;'"]* from '(?:#contract/|\\.{1,2}/|zod/)`, 'm').test(code)

// The bundlers know these functions by name alone: they drop each call of another function, or of
// a method of another value, with such a name whose result is unused.
for (const [config, folder] of [
  ['app.config.ts', 'app'],
  ['admin.config.ts', 'admin'],
] as const)
  test(`names of pure functions mean nothing else in ${folder} and the contract`, () => {
    const [, list = ''] = /manualPureFunctions: \[([^\]]*)\]/.exec(readFileSync(config, 'utf8')) ?? []
    const names = Array.from(list.matchAll(/'(\w+)'/g), ([, name = '']) => name).filter((name) => !(name in globalThis))
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
