declare module '*.po' {
  import type { Messages } from '@lingui/core'

  export const messages: Messages
}

interface ImportMetaEnv {
  readonly MARQUEE_BUILD_ID: string
}
