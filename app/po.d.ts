declare module '*.po' {
  import type { Messages } from '@lingui/core'

  export const messages: Messages
}

interface ImportMetaEnv {
  readonly MARQUEE_BUILD_ID: string
}

declare module 'virtual:message-files' {
  /** Scripts with messages. Empty in the browser and in development. */
  export const files: {
    /** All messages, by locale. */
    readonly all: Readonly<Record<string, string>>
    /** The messages that a page needs to be usable, by locale and route. */
    readonly pages: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
}
