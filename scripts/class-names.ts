import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '..')
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const encode = (number: number): string =>
  (number >= digits.length ? encode(Math.floor(number / digits.length)) : '') + digits[number % digits.length]

/** The names in a CSS module that may be classes or animations. */
const namesIn = (css: string) =>
  new Set(Array.from(css.matchAll(/(?:\.|@keyframes\s+|@container\s+)(-?[a-z_][\w-]*)/gi), ([, name = '']) => name))

/** Numbers all names of all CSS modules, the same in both builds. */
function numberNames(): Map<string, string> {
  const numbered = new Map<string, string>()
  for (const file of globSync('app/**/*.module.css', { cwd: root }).sort())
    for (const name of [...namesIn(readFileSync(join(root, file), 'utf8'))].sort())
      numbered.set(`${file} ${name}`, `_${encode(numbered.size)}`)
  return numbered
}

let numbered: Map<string, string> | undefined

/**
 * Class names are short, because every element contains them, but readable in development. A number
 * compresses better than a hash: the pages, the styles and the scripts contain each.
 */
export function classNameOf(name: string, file: string): string {
  const path = relative(root, file.split('?', 1)[0]!)
  const hash = () => createHash('sha256').update(`${path} ${name}`).digest('base64url').replaceAll('-', '_').slice(0, 6)
  if (process.env.NODE_ENV !== 'production') return `${name}_${hash()}`
  numbered ??= numberNames()
  return numbered.get(`${path} ${name}`) ?? `_${hash()}`
}

/**
 * Writes class names into the components, in place of an object with all names of a CSS module.
 * Without it, a browser loads the names of every class of the module, used or not. A module whose
 * names are chosen at run time (`styles[size]`) keeps its object.
 */
export const classNamesInPlace = (): Plugin => ({
  name: 'marquee:class-names',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /\/app\/.*\.tsx?(?:\?|$)/, code: '.module.css' },
    handler(code, id) {
      let written = code
      for (const [statement, object = '', path = ''] of code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
        const file = path.startsWith('~/')
          ? join(root, 'app', path.slice(2))
          : join(dirname(id.split('?', 1)[0]!), path)
        const names = namesIn(readFileSync(file, 'utf8'))
        const withNames = written.replaceAll(
          new RegExp(`(?<![\\w.])${object}\\.(\\w+)\\b`, 'g'),
          (member, name: string) => (names.has(name) ? `'${classNameOf(name, file)}'` : member),
        )
        const stillUsed = new RegExp(`(?<![\\w.'/])${object}\\b`).test(withNames.replace(statement, ''))
        written = stillUsed ? withNames : withNames.replace(statement, `import '${path}'`)
      }
      return { code: written, map: null }
    },
  },
})

/** Keeps the styles of CSS modules whose object is not used. */
export const keepStyles = (): Plugin => ({
  name: 'marquee:keep-styles',
  apply: 'build',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
  },
})
