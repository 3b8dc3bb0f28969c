import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { storeMember } from '#contract/admin/members.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { fieldTimeOf } from '../../ui/period-fields'
import { storeLanguages } from '../../ui/store-languages'
import {
  BlockDialog,
  EmailDialog,
  EraseDialog,
  ExportDialog,
  PartnershipDialog,
  ResetButton,
  ViewDialog,
} from './account-dialogs'
import styles from './member-facts.module.css'
import type { MemberAction } from './member-menu'

// Loaded when they are opened.
const MergeDialog = lazyPart(async () => ({ default: (await import('./merge-dialog')).MergeDialog }))
const MemberMenu = lazyPart(async () => ({ default: (await import('./member-menu')).MemberMenu }), {
  waiting: () => (
    <Button size="s" iconEnd="chevron-down" loading>
      <Trans>More</Trans>
    </Button>
  ),
})
const ProfileDialog = lazyPart(async () => ({ default: (await import('./profile-dialog')).ProfileDialog }))

type Member = z.output<typeof storeMember>

const addressText = (address: Member['address']) =>
  address ? `${address.postcode} ${address.road} ${address.detail}`.trim() : '–'

/** The lists of what belongs to a member. */
function Links({ id, email }: Pick<Member, 'id' | 'email'>) {
  const may = useMay()
  return (
    <ul className={styles.links}>
      <li>
        <Link to="/orders" search={{ memberId: id }}>
          <Trans>All orders of this member</Trans>
        </Link>
      </li>
      {may('inquiries:read') && (
        <li>
          <Link to="/inquiries" search={{ memberId: id }}>
            <Trans>Inquiries of this member</Trans>
          </Link>
        </li>
      )}
      {may('comments:read') && (
        <li>
          <Link to="/comments/all" search={{ memberId: id }}>
            <Trans>Comments of this member</Trans>
          </Link>
        </li>
      )}
      {may('mails:read') && (
        <li>
          <Link to="/mails" search={{ to: email }}>
            <Trans>Emails to this member</Trans>
          </Link>
        </li>
      )}
    </ul>
  )
}

/** The profile of a member, and what staff do with the account. */
export function Facts({ member }: { member: Member }) {
  const { t } = useLingui()
  const { date, dateTime } = useFormat()
  const may = useMay()
  const [opened, setOpened] = useState<MemberAction | 'view' | 'profile' | 'block' | 'erase'>()
  const close = () => setOpened(undefined)
  const { id, email, partnershipUntil, partnershipName, lastSeenAt, blockedAt } = member
  const { locale: language, marketingAt } = member
  const consent = member.marketing ? t`Yes` : t`No`
  const marketing = marketingAt ? t`${consent}, since ${date(marketingAt)}` : consent
  const { timeZone } = useSettings().base
  const isPartner = partnershipUntil !== null && new Date(partnershipUntil) > new Date()
  return (
    <Section title={<Trans>Profile</Trans>}>
      <DescriptionList
        rows={[
          { key: 'email', term: t`Email`, value: <bdi>{email}</bdi> },
          { key: 'name', term: t`Name`, value: <bdi>{member.name || '–'}</bdi> },
          { key: 'phone', term: t`Phone`, value: <bdi>{member.phone ?? '–'}</bdi> },
          { key: 'address', term: t`Address`, value: <bdi>{addressText(member.address)}</bdi> },
          { key: 'language', term: t`Language`, value: language ? storeLanguages[language] : t`Not chosen` },
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
          { key: 'marketing', term: t`Marketing emails`, value: marketing },
        ]}
      />
      {may('members:write') && (
        <div className={form.buttons}>
          <Button size="s" onClick={() => setOpened('profile')}>
            <Trans>Change the profile</Trans>
          </Button>
          <Button size="s" onClick={() => setOpened('view')}>
            <Trans>See the store as this member</Trans>
          </Button>
          <ResetButton id={id} isInvited={member.isInvited} />
          <MemberMenu onChoose={setOpened} />
        </div>
      )}
      <Links id={id} email={email} />
      {may('members:write') && (
        <div className={styles.apart}>
          <Button size="s" variant={blockedAt ? 'secondary' : 'danger'} onClick={() => setOpened('block')}>
            {blockedAt ? <Trans>Unblock</Trans> : <Trans>Block</Trans>}
          </Button>
          <Button size="s" variant="danger" onClick={() => setOpened('erase')}>
            <Trans>Delete the account</Trans>
          </Button>
        </div>
      )}
      {opened === 'view' && <ViewDialog id={id} email={email} onClose={close} />}
      {opened === 'profile' && <ProfileDialog member={member} onClose={close} />}
      {opened === 'email' && <EmailDialog id={id} email={email} isInvited={member.isInvited} onClose={close} />}
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
