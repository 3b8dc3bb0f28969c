import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { storeMember } from '#contract/admin/members.ts'
import { Notice } from '~/ui/notice'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { type FoundMember, MemberChoice } from './member-choice'
import { MemberDialog } from './member-dialog'

interface MergeDialogProps {
  /** The one that stays. */
  member: z.output<typeof storeMember>
  onClose: () => void
}

/** Merges another account of the same person into a member, once its address was typed. */
export function MergeDialog({ member, onClose }: MergeDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { id } = member
  const [other, setOther] = useState<FoundMember | null>(null)
  const merge = useWrite(
    async ({ email = '', reason = '' }: Texts) => {
      if (other) await api.admin.members.merge({ id, otherId: other.id, email, reason })
    },
    { done: t`Accounts merged`, changes: [['member', id], ['members']], onClose },
  )
  const { email } = other ?? {}
  return (
    <MemberDialog
      title={<Trans>Merge another account into this one?</Trans>}
      action={<Trans>Merge accounts</Trans>}
      write={merge}
      danger
      needsSecondFactor
      isDisabled={other === null}
      onClose={onClose}
    >
      <p>
        <Trans>
          For a person who has signed up twice. Orders, titles, progress, likes, comments and inquiries of the other
          account move here. This account keeps its address, password, settings and subscription.
        </Trans>
      </p>
      <MemberChoice
        label={t`The other account: name or email address`}
        legend={t`Merge this account and close it`}
        except={id}
        chosen={other}
        onChoose={(chosen) => {
          setOther(chosen)
          merge.reset()
        }}
        none={() => (
          <p>
            <Trans>No other member fits this search.</Trans>
          </p>
        )}
      />
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
