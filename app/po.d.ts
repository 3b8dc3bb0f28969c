declare module '*.po' {
  import type { Messages } from '@lingui/core'

  export const messages: Messages
}

interface ImportMetaEnv {
  readonly MARQUEE_BUILD_ID: string
}

declare module 'virtual:message-files' {
  /** The built scripts with each language's words. */
  export const files: Readonly<Record<string, string>>
}
