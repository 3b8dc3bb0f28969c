import { parseSync } from 'oxc-parser'
import type { Plugin } from 'vite'

const tree = /\/app\/routeTree\.gen\.ts$/

/** The id of the module with all routes. */
export const allRoutes = /\/app\/routeTree\.gen\.ts\?all$/

/** The modules of routes that a visitor without an account never opens. */
const ofMembers = /^\.\/routes\/_member\b/

/** Returns the code of a route tree without the routes of members. */
export function withoutMemberRoutes(code: string): string {
  const removed = new Set<string>()
  const spans: { start: number; end: number }[] = []
  const names = (text: string) => text.match(/\w+/g) ?? []
  for (const statement of parseSync('route-tree.ts', code).program.body) {
    if (statement.type === 'ImportDeclaration') {
      if (!ofMembers.test(statement.source.value)) continue
      for (const { local } of statement.specifiers) removed.add(local.name)
      spans.push(statement)
    } else if (statement.type === 'VariableDeclaration') {
      const [declared] = statement.declarations
      if (!declared?.init || declared.id.type !== 'Identifier') continue
      const isOfMembers = (at: { start: number; end: number }) =>
        names(code.slice(at.start, at.end)).some((name) => removed.has(name))
      if (!isOfMembers(declared.init)) continue
      const remaining =
        declared.init.type === 'ObjectExpression' ? declared.init.properties.filter((each) => !isOfMembers(each)) : []
      if (remaining.length === 0) {
        removed.add(declared.id.name)
        spans.push(statement)
      } else if (declared.init.type === 'ObjectExpression') {
        for (const property of declared.init.properties)
          if (!remaining.includes(property)) spans.push({ start: property.start, end: property.end + 1 })
      }
    }
  }
  return spans.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
}

/**
 * Leaves the routes of members out of the first script. The browser loads the tree with all routes
 * (`virtual:all-routes`) before the first navigation, and a page of a member with its first script.
 */
export const memberRoutes = (): Plugin => {
  const file = 'virtual:all-routes-file'
  let path: string | undefined
  return {
    name: 'marquee:member-routes',
    enforce: 'pre',
    sharedDuringBuild: true,
    resolveId: {
      filter: { id: /^virtual:all-routes/ },
      async handler(id) {
        if (id === file) return `\0${file}`
        const resolved = await this.resolve('/app/routeTree.gen.ts')
        return resolved && `${resolved.id}?all`
      },
    },
    load: {
      filter: { id: /virtual:all-routes-file$/ },
      // The client is built first.
      handler: (id) => (id === `\0${file}` ? `export const path = ${JSON.stringify(path)}` : undefined),
    },
    transform: {
      filter: { id: tree },
      handler(code) {
        const isFirstScript = this.environment.mode === 'build' && this.environment.name === 'client'
        return isFirstScript ? { code: withoutMemberRoutes(code), map: null } : undefined
      },
    },
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return
      for (const output of Object.values(bundle))
        if (output.type === 'chunk' && output.moduleIds.some((id) => allRoutes.test(id))) path = `/${output.fileName}`
    },
  }
}
