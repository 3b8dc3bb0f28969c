import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { memberFound, type storeMember } from '#contract/admin/members.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { failureOf } from '../../platform/failure'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { ProductLink } from '../../ui/product-link'
import { RemovableRows } from '../../ui/row-focus'
import { Rows } from '../../ui/rows'
import { BlockedBadge } from './blocked-badge'
import { Facts } from './member-facts'
import { MemberSessions } from './member-sessions'
import { TagSection } from './member-tags'
import { memberQuery } from './members.queries'
import { SubscriptionSection } from './subscription-section'
import { ComplimentaryOrderDialog, GrantTitleDialog, PaidOrderDialog, RevokeTitleDialog } from './title-dialogs'

const route = getRouteApi('/members/$id')

type Member = z.output<typeof storeMember>

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
    <Page
      title={member.name || member.email}
      badge={
        <>
          {member.isInvited && (
            <Badge tone="warning">
              <Trans>Invited</Trans>
            </Badge>
          )}
          {member.blockedAt && <BlockedBadge />}
        </>
      }
    >
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
  const merged = memberFound.safeParse(member.error && failureOf(member.error).data).data
  if (merged) return <Navigate to="/members/$id" params={{ id: merged.memberId }} replace />
  return (
    <LoadedPage title={t`Member`} query={member}>
      {(data) => <MemberDetail member={data} />}
    </LoadedPage>
  )
}
