import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import type { storeMemberPage } from '#contract/admin/members.ts'
import type { MemberId } from '#contract/ids.ts'
import { RadioGroup } from '~/ui/choice'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSettled } from '../../platform/use-settled'
import { membersQuery } from './members.queries'

export type FoundMember = z.output<typeof storeMemberPage>['items'][number]

/** Milliseconds after the last key until members are searched. */
const pause = 300
const shownMembers = 5

interface MemberChoiceProps {
  /** The label of the search. */
  label: string
  /** What the found members are for. */
  legend: string
  /** A member who cannot be chosen. */
  except?: MemberId
  chosen: Pick<FoundMember, 'id'> | null
  onChoose: (member: FoundMember | null) => void
  /** Shown where no member fits the search. */
  none: (typed: string) => ReactNode
}

/** Chooses a member by a part of the name or email address. */
export function MemberChoice({ label, legend, except, chosen, onChoose, none }: MemberChoiceProps) {
  const { t } = useLingui()
  const { date, number } = useFormat()
  const [q, setQ] = useState('')
  const settled = useSettled(q.trim(), pause)
  const found = useQuery({ ...membersQuery(useAdminApi(), { q: settled }), enabled: settled !== '' })
  const choices = (found.data?.items ?? []).filter(({ id }) => id !== except).slice(0, shownMembers)
  const factsOf = ({ createdAt, orders, plan }: FoundMember) =>
    [t`Joined ${date(createdAt)}`, t`Paid orders: ${number(orders)}`, ...(plan ? [plan] : [])].join(' · ')
  return (
    <>
      <TextField
        label={label}
        type="search"
        value={q}
        autoComplete="off"
        onChange={({ target }) => {
          setQ(target.value)
          onChoose(null)
        }}
      />
      {found.isError && (
        <p role="alert">
          <Trans>Members could not be searched. Try again.</Trans>
        </p>
      )}
      {settled !== '' && found.data && choices.length === 0 && none(settled)}
      {choices.length > 0 && (
        <RadioGroup
          legend={legend}
          name="member"
          value={chosen?.id ?? ''}
          options={choices.map((one) => ({
            value: one.id,
            label: `${one.name} ${one.email}`.trim(),
            hint: factsOf(one),
          }))}
          onValueChange={(id) => onChoose(choices.find((one) => one.id === id) ?? null)}
        />
      )}
    </>
  )
}
