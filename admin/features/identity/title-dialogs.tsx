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
    { done: t`Title granted`, changes: [['member', id]], onClose },
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

/** Gives a member titles for nothing, as an order. */
export function ComplimentaryOrderDialog({ id, onClose }: { id: MemberId; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const give = useWrite(
    ({ codes = '', reason = '' }: Texts) =>
      api.admin.orders.createComplimentary(
        {
          memberId: id,
          productCodes: codes
            .split(/[\s,]+/)
            .filter(Boolean)
            .map((code) => productCode.parse(code)),
          reason,
        },
        { context: { idempotencyKey } },
      ),
    { done: t`Complimentary order created`, changes: [['member', id], ['members'], ['orders']], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Complimentary order</Trans>}
      action={<Trans>Create the order</Trans>}
      write={give}
      onClose={onClose}
    >
      <p>
        <Trans>
          The member gets the titles for nothing, an email about them, and an order that shows who gave them.
        </Trans>
      </p>
      <TextField
        label={t`Product codes`}
        hint={t`The last part of the address of each page, with commas in between.`}
        name="codes"
        pattern="[A-Za-z0-9][A-Za-z0-9\-]*([\s,]+[A-Za-z0-9][A-Za-z0-9\-]*)*[\s,]*"
        maxLength={2000}
        autoComplete="off"
        dir="ltr"
        required
        error={give.failure?.fields.productCodes}
      />
    </MemberDialog>
  )
}

interface RevokeTitleDialogProps {
  id: MemberId
  right: { productCode: ProductCode; title: string }
  onClose: () => void
}

/** Revokes a title that the member was granted. */
export function RevokeTitleDialog({ id, right, onClose }: RevokeTitleDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const revoke = useWrite(
    ({ reason = '' }: Texts) => api.admin.members.revokeTitle({ id, productCode: right.productCode, reason }),
    { done: t`Title revoked`, changes: [['member', id]], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Revoke {right.title}?</Trans>}
      action={<Trans>Revoke</Trans>}
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
