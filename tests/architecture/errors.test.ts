import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Classes in a file that extend an error and whose `name` is not their own. */
const misnamedErrors = (file: string, text: string): string[] => {
  const faults: string[] = []
  // Parsing takes long, and most files have no such class.
  if (!/\bclass\b[^{]*\bextends\b/.test(text)) return faults
  const errors = new Set<string>()
  new Visitor({
    ClassDeclaration({ id, superClass, body }) {
      if (!id || superClass?.type !== 'Identifier') return
      if (!superClass.name.endsWith('Error') && !errors.has(superClass.name)) return
      errors.add(id.name)
      const name = body.body.find(
        (member) =>
          member.type === 'PropertyDefinition' && member.key.type === 'Identifier' && member.key.name === 'name',
      )
      const value = name?.type === 'PropertyDefinition' && name.value?.type === 'Literal' ? name.value.value : undefined
      if (value !== id.name) faults.push(`${file}: ${id.name}`)
    },
  }).visit(parseSync(file, text).program)
  return faults
}

test('errors without their own name are found', () => {
  const text = `
    class Right extends Error { override readonly name = 'Right' }
    class Renamed extends TypeError { override readonly name = 'Former' }
    class Unnamed extends Right {}
    class Other extends Shape {}`
  expect(misnamedErrors('x.ts', text)).toEqual(['x.ts: Renamed', 'x.ts: Unnamed'])
})

test('each error has the name of its class, which logs show', () => {
  const files = globSync('{api,app,admin,cli,contract,server,tests,scripts,demo}/**/*.{ts,tsx}').filter(
    (file) => !file.includes('routeTree.gen'),
  )
  expect(files.flatMap((file) => misnamedErrors(file, readFileSync(file, 'utf8')))).toEqual([])
})
