import { files } from 'virtual:message-files'
import type { Locale } from './locales'

/** Where the browser finds a language's words; undefined in the browser itself, and while developing. */
export const messageFile = (locale: Locale): string | undefined => files[locale]
