declare module '*.po' {
  import type { Messages } from '@lingui/core'

  export const messages: Messages
}

interface ImportMetaEnv {
  readonly MARQUEE_BUILD_ID: string
}

declare module 'virtual:all-routes' {
  /** The tree of all routes. Evaluating the module adds those that the first script lacks. */
  export const routeTree: unknown
}

declare module 'virtual:all-routes-file' {
  /** The path of the script with the routes of members. Undefined in the browser. */
  export const path: string | undefined
}

declare module 'virtual:message-files' {
  /**
   * Paths of scripts with the messages that a page needs to be usable, by locale and route. Empty
   * in the browser and in development.
   */
  export const files: Readonly<Record<string, Readonly<Record<string, string>>>>
}
