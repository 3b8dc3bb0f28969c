import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { storeMember } from '#contract/admin/members.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { fieldTimeOf } from '../../ui/period-fields'
import { ProductLink } from '../../ui/product-link'
import { RemovableRows } from '../../ui/row-focus'
import { Rows } from '../../ui/rows'
import {
  BlockDialog,
  EmailDialog,
  EraseDialog,
  ExportDialog,
  PartnershipDialog,
  ResetButton,
  ViewDialog,
} from './account-dialogs'
import { BlockedBadge } from './blocked-badge'
import { MemberSessions } from './member-sessions'
import { TagSection } from './member-tags'
import { memberQuery } from './members.queries'
import { SubscriptionSection } from './subscription-section'
import { ComplimentaryOrderDialog, GrantTitleDialog, PaidOrderDialog, RevokeTitleDialog } from './title-dialogs'

// Loaded when it is opened.
const MergeDialog = lazyPart(async () => ({ default: (await import('./merge-dialog')).MergeDialog }))

const route = getRouteApi('/members/$id')

type Member = z.output<typeof storeMember>

function Facts({ member }: { member: Member }) {
  const { t } = useLingui()
  const { date, dateTime } = useFormat()
  const may = useMay()
  const [opened, setOpened] = useState<'view' | 'email' | 'merge' | 'block' | 'erase' | 'export' | 'partnership'>()
  const close = () => setOpened(undefined)
  const { id, email, partnershipUntil, partnershipName, lastSeenAt, blockedAt } = member
  const { timeZone } = useSettings().base
  const isPartner = partnershipUntil !== null && new Date(partnershipUntil) > new Date()
  return (
    <Section title={<Trans>Profile</Trans>}>
      <DescriptionList
        rows={[
          { key: 'email', term: t`Email`, value: <bdi>{email}</bdi> },
          { key: 'phone', term: t`Phone`, value: <bdi>{member.phone ?? '–'}</bdi> },
          { key: 'joined', term: t`Joined`, value: date(member.createdAt) },
          { key: 'seen', term: t`Last seen`, value: lastSeenAt ? dateTime(lastSeenAt) : '–' },
          { key: 'plan', term: t`Plan`, value: <bdi>{member.plan ?? '–'}</bdi> },
          ...(blockedAt ? [{ key: 'blocked', term: t`Blocked`, value: dateTime(blockedAt) }] : []),
          ...(partnershipUntil
            ? [
                {
                  key: 'partner',
                  term: t`Partnership until`,
                  value: (
                    <>
                      {date(partnershipUntil)}
                      {partnershipName && (
                        <>
                          {' · '}
                          <bdi>{partnershipName}</bdi>
                        </>
                      )}
                    </>
                  ),
                },
              ]
            : []),
          { key: 'marketing', term: t`Marketing emails`, value: member.marketing ? t`Yes` : t`No` },
        ]}
      />
      <div className={form.buttons}>
        <Button size="s" render={<Link to="/orders" search={{ memberId: id }} />}>
          <Trans>All orders of this member</Trans>
        </Button>
        {may('inquiries:read') && (
          <Button size="s" render={<Link to="/inquiries" search={{ memberId: id }} />}>
            <Trans>Inquiries of this member</Trans>
          </Button>
        )}
        {may('comments:read') && (
          <Button size="s" render={<Link to="/comments/all" search={{ memberId: id }} />}>
            <Trans>Comments of this member</Trans>
          </Button>
        )}
        {may('mails:read') && (
          <Button size="s" render={<Link to="/mails" search={{ to: email }} />}>
            <Trans>Emails to this member</Trans>
          </Button>
        )}
        {may('members:write') && (
          <>
            <Button size="s" onClick={() => setOpened('view')}>
              <Trans>See the store as this member</Trans>
            </Button>
            <Button size="s" onClick={() => setOpened('email')}>
              <Trans>Change the email address</Trans>
            </Button>
            <ResetButton id={id} />
            <Button size="s" onClick={() => setOpened('partnership')}>
              <Trans>Partnership</Trans>
            </Button>
            <Button size="s" onClick={() => setOpened('export')}>
              <Trans>Export the data</Trans>
            </Button>
            <Button size="s" onClick={() => setOpened('merge')}>
              <Trans>Merge accounts</Trans>
            </Button>
            <Button size="s" variant={blockedAt ? 'secondary' : 'danger'} onClick={() => setOpened('block')}>
              {blockedAt ? <Trans>Unblock</Trans> : <Trans>Block</Trans>}
            </Button>
            <Button size="s" variant="danger" onClick={() => setOpened('erase')}>
              <Trans>Delete the account</Trans>
            </Button>
          </>
        )}
      </div>
      {opened === 'view' && <ViewDialog id={id} email={email} onClose={close} />}
      {opened === 'email' && <EmailDialog id={id} email={email} onClose={close} />}
      {opened === 'partnership' && (
        <PartnershipDialog
          id={id}
          current={
            isPartner
              ? { lastDay: fieldTimeOf(new Date(partnershipUntil), timeZone).slice(0, 10), name: partnershipName }
              : null
          }
          onClose={close}
        />
      )}
      {opened === 'export' && <ExportDialog id={id} onClose={close} />}
      {opened === 'erase' && <EraseDialog id={id} email={email} onClose={close} />}
      {opened === 'merge' && <MergeDialog member={member} onClose={close} />}
      {opened === 'block' && (
        <BlockDialog id={id} isBlocked={blockedAt !== null} hasPlan={member.plan !== null} onClose={close} />
      )}
    </Section>
  )
}

function Titles({ member: { id, rights } }: { member: Member }) {
  const { t } = useLingui()
  const { date } = useFormat()
  const may = useMay()
  const [opened, setOpened] = useState<'grant' | 'order' | 'sale'>()
  const close = () => setOpened(undefined)
  const [revoked, setRevoked] = useState<Member['rights'][number] | null>(null)
  return (
    <Section
      title={<Trans>Titles</Trans>}
      actions={
        <div className={form.buttons}>
          {may('deposits:write') && (
            <Button size="s" onClick={() => setOpened('sale')}>
              <Trans>Record a sale</Trans>
            </Button>
          )}
          {may('orders:write') && (
            <Button size="s" onClick={() => setOpened('order')}>
              <Trans>Complimentary order</Trans>
            </Button>
          )}
          {may('members:write') && (
            <Button size="s" onClick={() => setOpened('grant')}>
              <Trans>Grant a title</Trans>
            </Button>
          )}
        </div>
      }
    >
      {rights.length === 0 ? (
        <p>
          <Trans>Owns and rents nothing.</Trans>
        </p>
      ) : (
        <RemovableRows
          items={rights.map((right) => {
            const { productCode, title, createdAt, expiresAt, source } = right
            return {
              key: `${productCode} ${createdAt}`,
              title: <ProductLink code={productCode} title={title} />,
              detail: [
                expiresAt ? t`${date(createdAt)} to ${date(expiresAt)}` : t`Since ${date(createdAt)}`,
                ...(source === 'GRANT' ? [t`granted`] : []),
              ].join(' · '),
              end: source === 'GRANT' && may('members:write') && (
                <Button size="s" onClick={() => setRevoked(right)}>
                  <Trans>Revoke</Trans>
                </Button>
              ),
            }
          })}
        />
      )}
      {opened === 'grant' && <GrantTitleDialog id={id} onClose={close} />}
      {opened === 'sale' && <PaidOrderDialog id={id} onClose={close} />}
      {opened === 'order' && <ComplimentaryOrderDialog id={id} onClose={close} />}
      {revoked && <RevokeTitleDialog id={id} right={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  )
}

function Plays({ member: { plays } }: { member: Member }) {
  const { dateTime, duration } = useFormat()
  return (
    <Section title={<Trans>Last watched</Trans>}>
      {plays.length === 0 ? (
        <p>
          <Trans>Nothing yet.</Trans>
        </p>
      ) : (
        <Rows
          items={plays.map(({ productCode, title, positionSeconds, at }) => ({
            key: `${productCode} ${at}`,
            title: <bdi>{title}</bdi>,
            detail: dateTime(at),
            end: duration(positionSeconds),
          }))}
        />
      )}
    </Section>
  )
}

function MemberDetail({ member }: { member: Member }) {
  const { t } = useLingui()
  const may = useMay()
  const api = useAdminApi()
  const { id } = member
  const note = useWrite((text: string) => api.admin.members.addNote({ id, text }), {
    done: t`Note added`,
    changes: [['member', id]],
  })
  return (
    <Page title={member.name || member.email} badge={member.blockedAt && <BlockedBadge />}>
      <Columns
        aside={
          <>
            <Facts member={member} />
            <TagSection id={id} tags={member.tags} />
          </>
        }
      >
        <SubscriptionSection id={id} />
        <Titles member={member} />
        <Plays member={member} />
        <MemberSessions member={member} />
        <History entries={member.history} note={may('members:write') ? note : undefined} />
      </Columns>
    </Page>
  )
}

/** A member with titles, plays, sessions, and what staff did about them. */
export function MemberPage() {
  const { t } = useLingui()
  const { id } = route.useParams()
  const member = useQuery(memberQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Member`} query={member}>
      {(data) => <MemberDetail member={data} />}
    </LoadedPage>
  )
}
