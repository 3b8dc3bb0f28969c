import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreMail } from '#contract/admin/mails.ts'
import { directionOf } from '#contract/direction.ts'
import { customerBase } from '#contract/http.ts'
import { DescriptionList } from '~/ui/card'
import { Chip, Chips } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useStoreCode } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { pollEvery } from '../../platform/live-changes'
import { useMay } from '../../platform/session'
import { History } from '../../ui/history'
import { LoadedPage, Page, Section } from '../../ui/page'
import { StatusBadge } from '../../ui/status'
import { storeLanguages } from '../../ui/store-languages'
import styles from './mail-page.module.css'
import { mailQuery } from './mails.queries'
import { Resend, ResendSent } from './resend'
import { mailStatuses, useFailureText, useTemplateName } from './template-labels'

const route = getRouteApi('/mails/$id')

function Content({ shown: { mail, content } }: { shown: StoreMail }) {
  const { t } = useLingui()
  const store = useStoreCode()
  const [isText, setText] = useState(false)
  const { id, locale, status } = mail
  if (content) {
    const { subject, text, hasHtml } = content
    return (
      <Section title={<bdi lang={locale}>{subject}</bdi>}>
        {hasHtml && (
          <Chips className={styles.forms}>
            <Chip selected={!isText} onClick={() => setText(false)}>
              <Trans>As sent</Trans>
            </Chip>
            <Chip selected={isText} onClick={() => setText(true)}>
              <Trans>Text</Trans>
            </Chip>
          </Chips>
        )}
        {hasHtml && !isText ? (
          <iframe
            className={styles.frame}
            src={`${customerBase(store)}/admin/mails/${id}/html`}
            title={t`Email as it was sent`}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
          />
        ) : (
          <div className={styles.text} lang={locale} dir={directionOf(locale)}>
            {text}
          </div>
        )}
      </Section>
    )
  }
  return (
    <Section title={<Trans>Text of the email</Trans>}>
      <p>
        {status === 'SENT' ? (
          <Trans>The content was deleted once the email was sent, so it cannot be sent again.</Trans>
        ) : (
          <Trans>The content is for the recipient alone, because it may hold a code or a link to sign in.</Trans>
        )}
      </p>
    </Section>
  )
}

/** One email as it was or will be sent. */
export function MailPage() {
  const { t } = useLingui()
  const { dateTime, number } = useFormat()
  const nameOf = useTemplateName()
  const failureText = useFailureText()
  const may = useMay()
  const mail = useQuery({
    ...mailQuery(useAdminApi(), route.useParams().id),
    refetchInterval: ({ state }) => state.data?.mail.status === 'QUEUED' && pollEvery(3000),
  })
  return (
    <LoadedPage title={t`Email`} query={mail}>
      {(shown) => {
        const { id, to, memberId, template, status, locale, attempts, createdAt, sentAt } = shown.mail
        const isUnsent = status === 'FAILED' || status === 'NOT_SENT'
        // Without its content, an email had a code or a link for the recipient alone.
        const isCopied = status === 'SENT' && shown.content !== null
        return (
          <Page
            title={nameOf(template)}
            badge={<StatusBadge status={mailStatuses[status]} />}
            actions={
              may('mails:write') && (
                <>
                  {isUnsent && <Resend id={id} />}
                  {isCopied && <ResendSent mail={shown.mail} />}
                </>
              )
            }
          >
            <Section title={<Trans>Delivery</Trans>}>
              <DescriptionList
                rows={[
                  {
                    key: 'to',
                    term: t`Recipient`,
                    value:
                      memberId && may('members:read') ? (
                        <Link to="/members/$id" params={{ id: memberId }} className={styles.link}>
                          <bdi>{to}</bdi>
                        </Link>
                      ) : (
                        <bdi>{to}</bdi>
                      ),
                  },
                  { key: 'language', term: t`Language`, value: <bdi lang={locale}>{storeLanguages[locale]}</bdi> },
                  { key: 'created', term: t`Created`, value: dateTime(createdAt) },
                  { key: 'sent', term: t`Sent`, value: sentAt ? dateTime(sentAt) : '–' },
                  { key: 'attempts', term: t`Attempts`, value: number(attempts) },
                  { key: 'failure', term: t`Failure`, value: <bdi>{failureText(shown.mail) ?? '–'}</bdi> },
                ]}
              />
            </Section>
            <Content shown={shown} />
            {shown.history.length > 0 && <History entries={shown.history} />}
          </Page>
        )
      }}
    </LoadedPage>
  )
}
