import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { storeMember } from '#contract/admin/members.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { useDeviceName } from '../../ui/use-device-name'

type StoreMember = z.output<typeof storeMember>

/** Where a member is signed in, and the way to end it. */
export function MemberSessions({ member: { id, sessions } }: { member: Pick<StoreMember, 'id' | 'sessions'> }) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const nameOf = useDeviceName()
  const may = useMay()
  const api = useAdminApi()
  const signOut = useWrite(() => api.admin.members.signOut({ id }), {
    done: t`Signed out everywhere`,
    changes: [['member', id]],
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Sign this member out everywhere?`,
    action: t`Sign out everywhere`,
    onConfirm: () => signOut.sendAsync(undefined),
  })
  return (
    <Section
      title={<Trans>Sessions</Trans>}
      actions={
        sessions.length > 0 &&
        may('members:write') && (
          <Button size="s" onClick={confirm.ask}>
            <Trans>Sign out everywhere</Trans>
          </Button>
        )
      }
    >
      {sessions.length === 0 ? (
        <p>
          <Trans>Not signed in.</Trans>
        </p>
      ) : (
        <Rows
          items={sessions.map(({ id, device, address, lastSeenAt }) => ({
            key: id,
            title: nameOf(device),
            detail: `${address} · ${dateTime(lastSeenAt)}`,
          }))}
        />
      )}
      {confirm.dialog}
    </Section>
  )
}
