import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { storeMember, storeMemberPage } from '#contract/admin/members.ts'
import { RadioGroup } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSettled } from '../../platform/use-settled'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { MemberDialog } from './member-dialog'
import { membersQuery } from './members.queries'

type Found = z.output<typeof storeMemberPage>['items'][number]

/** Milliseconds after the last key until members are searched. */
const pause = 300
const shownMembers = 5

interface MergeDialogProps {
  /** The one that stays. */
  member: z.output<typeof storeMember>
  onClose: () => void
}

/** Merges another account of the same person into a member, once its address was typed. */
export function MergeDialog({ member, onClose }: MergeDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { date, number } = useFormat()
  const { id } = member
  const [q, setQ] = useState('')
  const [other, setOther] = useState<Found | null>(null)
  const settled = useSettled(q.trim(), pause)
  const found = useQuery({ ...membersQuery(api, { q: settled }), enabled: settled !== '' })
  const merge = useWrite(
    async ({ email = '', reason = '' }: Texts) => {
      if (other) await api.admin.members.merge({ id, otherId: other.id, email, reason })
    },
    { done: t`Accounts merged`, changes: [['member', id], ['members']], onClose },
  )
  const { email } = other ?? {}
  const choices = (found.data?.items ?? []).filter((one) => one.id !== id).slice(0, shownMembers)
  const factsOf = ({ createdAt, orders, plan }: Found) =>
    [t`Joined ${date(createdAt)}`, t`Paid orders: ${number(orders)}`, ...(plan ? [plan] : [])].join(' · ')
  return (
    <MemberDialog
      title={<Trans>Merge another account into this one?</Trans>}
      action={<Trans>Merge accounts</Trans>}
      write={merge}
      danger
      isDisabled={other === null}
      onClose={onClose}
    >
      <p>
        <Trans>
          For a person who has signed up twice. Orders, titles, progress, likes, comments and inquiries of the other
          account move here. This account keeps its address, password, settings and subscription.
        </Trans>
      </p>
      <TextField
        label={t`The other account: name or email address`}
        type="search"
        value={q}
        autoComplete="off"
        onChange={({ target }) => {
          setQ(target.value)
          setOther(null)
          merge.reset()
        }}
      />
      {settled !== '' && found.data && choices.length === 0 && (
        <p>
          <Trans>No other member fits this search.</Trans>
        </p>
      )}
      {choices.length > 0 && (
        <RadioGroup
          legend={t`Merge this account and close it`}
          name="other"
          value={other?.id ?? ''}
          options={choices.map((one) => ({
            value: one.id,
            label: `${one.name} ${one.email}`.trim(),
            hint: factsOf(one),
          }))}
          onValueChange={(chosen) => {
            setOther(choices.find((one) => one.id === chosen) ?? null)
            merge.reset()
          }}
        />
      )}
      {other && (
        <>
          <Notice tone="warning">
            <Trans>
              Nobody can sign in with <bdi>{email}</bdi> any more, and its cards are removed. This cannot be undone.
            </Trans>
          </Notice>
          <TextField
            label={t`Type ${email} to confirm`}
            name="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            required
            error={merge.failure?.fields.email}
          />
        </>
      )}
    </MemberDialog>
  )
}
