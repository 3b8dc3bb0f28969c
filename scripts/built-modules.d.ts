declare module '*.po' {
  import type { Messages } from '@lingui/core'

  export const messages: Messages
}

interface ImportMetaEnv {
  readonly MARQUEE_BUILD_ID: string
}

declare module 'virtual:routes/*' {
  /** Evaluating the module adds routes to the tree that the first script lacks. */
  export const routeTree: unknown
}

declare module 'virtual:route-files' {
  /**
   * The scripts with routes that the first script lacks, by route: their paths, and the name of
   * their tree. Empty in the browser and in development.
   */
  export const files: Readonly<Record<string, { href: string; routes: string }>>
}

declare module 'virtual:message-files' {
  /**
   * Paths of scripts with the messages that a page needs to be usable, by locale and route. Empty
   * in the browser and in development.
   */
  export const files: Readonly<Record<string, Readonly<Record<string, string>>>>
}
