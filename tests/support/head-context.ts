import { setupI18n } from '@lingui/core'
import { QueryClient } from '@tanstack/react-query'
import type { HeadContext } from '~/platform/document/head'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { plainSettings } from './settings.ts'

/** The context of page heads in a store with this name and title for search engines. */
export const headContext = (name: string | null, title: string | null): HeadContext => {
  const settings = plainSettings()
  settings.base.name = name
  settings.seo.title = title
  const queryClient = new QueryClient()
  queryClient.setQueryData(siteSettingsQuery.queryKey, settings)
  return {
    queryClient,
    i18n: setupI18n({ locale: 'en', messages: { en: {} } }),
    page: { origin: 'http://store.test', requestId: undefined },
    localeState: { locale: 'en', prefixed: false },
  }
}
