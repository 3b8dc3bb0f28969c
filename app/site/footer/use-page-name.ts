import { useLingui } from '@lingui/react/macro'
import { useSiteSettings } from '~/platform/shell/shell.queries'

/**
 * What a page of the store's own is called: its title, which is in the store's language. Who reads in another one finds the pages that
 * every store has by their usual names.
 */
export function usePageName() {
  const { t, i18n } = useLingui()
  const { locale } = useSiteSettings().base
  const usual: Record<string, string> = {
    about: t`About us`,
    terms: t`Terms of use`,
    privacy: t`Privacy policy`,
    refund: t`Refund policy`,
  }
  return ({ type, title }: { type: string; title: string }) => (i18n.locale === locale ? title : (usual[type] ?? title))
}
