import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useFormat } from '~/platform/format/use-format'
import { isLocale } from '~/platform/i18n/locales'
import { closedStoreRouteOptions } from '~/platform/navigation/guards'
import { contractQuery, useSiteSettings } from '~/platform/shell/shell.functions'
import { MessagePage } from '~/site/message-page'

export const Route = createFileRoute('/customer/site-disabled')({ ...closedStoreRouteOptions, component: SiteDisabled })

/** Why the store is closed, as its staff wrote it, and when it opens again. */
function SiteDisabled() {
  const { locale } = Route.useRouteContext().localeState
  const { dateTime } = useFormat()
  const own = useSiteSettings().base.locale
  const { texts = {}, backAt = null } = useQuery(contractQuery).data?.maintenance ?? {}
  const language = [locale, own, ...Object.keys(texts)].filter(isLocale).find((each) => texts[each])
  const text = language && texts[language]
  return (
    <MessagePage title={<Trans>We’ll be back soon</Trans>}>
      {text ? (
        text.split(/\n+/).map((line) => (
          <p key={line} lang={language === locale ? undefined : language} dir="auto">
            {line}
          </p>
        ))
      ) : (
        <p>
          <Trans>This store is temporarily closed. Your purchases and account are safe.</Trans>
        </p>
      )}
      {backAt !== null && (
        <p>
          <Trans>We expect to be back on {dateTime(backAt)}.</Trans>
        </p>
      )}
    </MessagePage>
  )
}
