import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the server functions of the built store, with the ids in their addresses. */
export const builtServerFunctions = (folder = 'dist/server'): { id: string; name: string }[] => {
  const built = globSync('**/*.js', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const listed = built.matchAll(/"?([\w-]{8})"?: \{\s*functionName: "(\w+)_createServerFn_handler"/g)
  return Array.from(listed, ([, id = '', name = '']) => ({ id, name }))
}
