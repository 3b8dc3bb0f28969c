import type { LocaleState } from '~/platform/i18n/switch-locale'

/** What a page needs of the request that its address alone does not say. */
export interface PageRequest extends LocaleState {
  nonce: string | undefined
  origin: string
  surface: string | undefined
  requestId: string | undefined
  crawler: boolean
  /** Drawing the page failed on the server: the error screen takes its place. */
  failure?: { error: unknown }
}
