import { useLingui } from '@lingui/react/macro'
import type { SitePage } from '#contract/content.ts'
import { type Locale, langOf } from '~/platform/i18n/locales'

/**
 * What a page of the store's own is called: its title in the reader's language. Where it has none, the pages that every store has go by
 * their usual names.
 */
export function usePageName() {
  const { t } = useLingui()
  const usual: Record<string, string> = {
    about: t`About us`,
    terms: t`Terms of use`,
    privacy: t`Privacy policy`,
    refund: t`Refund policy`,
  }
  return (page: Pick<SitePage, 'type' | 'title' | 'languages'>): { name: string; lang: Locale | undefined } => {
    const lang = langOf(page, 'title')
    const name = lang && usual[page.type]
    return name ? { name, lang: undefined } : { name: page.title, lang }
  }
}
