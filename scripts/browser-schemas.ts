import { join } from 'node:path'
import type { Plugin } from 'vite'

const missing = (where: string) =>
  `A schema in the browser uses a feature of Zod that contract/browser-schemas.ts lacks: ${where}`

const small = join(import.meta.dirname, '../contract/browser-schemas.ts')

/**
 * Puts the small validator of `contract/browser-schemas.ts` in the place of `zod/mini` in the
 * browser. Fails the build where a schema there uses a feature that it lacks.
 */
export const browserSchemas = (): Plugin => ({
  name: 'marquee:browser-schemas',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: {
    filter: { id: /^zod\/mini$/ },
    handler: () => small,
  },
  onLog: (_, { code, message }) => {
    if (code === 'IMPORT_IS_UNDEFINED' && message.includes('browser-schemas')) throw new Error(missing(message))
  },
})
