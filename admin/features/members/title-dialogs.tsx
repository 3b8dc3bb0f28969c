import { Trans, useLingui } from '@lingui/react/macro'
import { type MemberId, type ProductCode, productCode } from '#contract/ids.ts'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { CodeField, type Texts } from '../../ui/form'
import { MemberDialog } from './member-dialog'

/** Gives a member a title without an order. */
export function GrantTitleDialog({ id, onClose }: { id: MemberId; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const grant = useWrite(
    ({ code = '', until, reason = '' }: Texts) =>
      api.admin.members.grantTitle(
        { id, productCode: productCode.parse(code), reason, ...(until && { until }) },
        { context: { idempotencyKey } },
      ),
    { done: t`Title granted`, changes: [['member', id]], onDone: onClose },
  )
  return (
    <MemberDialog title={<Trans>Grant a title</Trans>} action={<Trans>Grant</Trans>} write={grant} onClose={onClose}>
      <CodeField
        label={t`Product code`}
        hint={t`The last part of the address of its page.`}
        name="code"
        autoComplete="off"
        required
        error={grant.failure?.fields.productCode}
      />
      <TextField
        label={t`Last day`}
        hint={t`Without one, the title stays with the member.`}
        name="until"
        type="date"
        error={grant.failure?.fields.until}
      />
    </MemberDialog>
  )
}

interface RevokeTitleDialogProps {
  id: MemberId
  right: { productCode: ProductCode; title: string }
  onClose: () => void
}

/** Takes away a title that the member was granted. */
export function RevokeTitleDialog({ id, right, onClose }: RevokeTitleDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const revoke = useWrite(
    ({ reason = '' }: Texts) => api.admin.members.revokeTitle({ id, productCode: right.productCode, reason }),
    { done: t`Title taken away`, changes: [['member', id]], onDone: onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Take {right.title} away?</Trans>}
      action={<Trans>Take away</Trans>}
      write={revoke}
      danger
      onClose={onClose}
    >
      <p>
        <Trans>The member can no longer watch or download it, also where it is playing now.</Trans>
      </p>
    </MemberDialog>
  )
}
