declare module '*.po' {
  import type { Messages } from '@lingui/core'

  export const messages: Messages
}

interface ImportMetaEnv {
  readonly MARQUEE_BUILD_ID: string
}

declare module 'virtual:message-files' {
  /**
   * The script with each language's messages, by locale. Empty in the browser and in development.
   */
  export const files: Readonly<Record<string, string>>
}
