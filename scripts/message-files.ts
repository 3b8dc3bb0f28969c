import type { Plugin } from 'vite'

/**
 * Gives pages the paths of each language's messages, so that a browser fetches them beside the
 * scripts that import them.
 */
export const messageFiles = (): Plugin => {
  const name = 'virtual:message-files'
  const files: Record<string, string> = {}
  return {
    name: 'marquee:message-files',
    sharedDuringBuild: true,
    // The client is built first.
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return
      for (const chunk of Object.values(bundle)) {
        const id = chunk.type === 'chunk' ? chunk.facadeModuleId : null
        const locale = /\/locales\/(\w+)\/messages\.po/.exec(id ?? '')?.[1]
        if (locale) files[locale] = `/${chunk.fileName}`
      }
    },
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined
      return `export const files = ${JSON.stringify(this.environment.name === 'client' ? {} : files)}`
    },
  }
}
