import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type MemberId, type ProductCode, productCode } from '#contract/ids.ts'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import type { Failure } from '../../platform/failure'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'

interface TitleDialogProps {
  title: ReactNode
  action: ReactNode
  write: { send: (texts: Texts) => void; isPending: boolean; failure: Failure | undefined }
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

function TitleDialog({ title, action, write, danger, onClose, children }: TitleDialogProps) {
  return (
    <FormDialog
      title={title}
      action={action}
      variant={danger ? 'danger' : 'primary'}
      isPending={write.isPending}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((texts) => write.send(texts))}>
          {children}
          <ReasonField failure={write.failure} />
          <Refusal failure={write.failure} />
        </form>
      )}
    </FormDialog>
  )
}

/** Gives a member a title without an order. */
export function GrantTitleDialog({ id, onClose }: { id: MemberId; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const grant = useWrite(
    ({ code = '', until, reason = '' }: Texts) =>
      api.admin.members.grantTitle(
        // The field's pattern is the one of the contract.
        { id, productCode: productCode.parse(code), reason, ...(until && { until }) },
        { context: { idempotencyKey } },
      ),
    { done: t`Title granted`, changes: [['member', id]], onDone: onClose },
  )
  return (
    <TitleDialog title={<Trans>Grant a title</Trans>} action={<Trans>Grant</Trans>} write={grant} onClose={onClose}>
      <TextField
        label={t`Product code`}
        hint={t`The last part of the address of its page.`}
        name="code"
        pattern="[A-Za-z0-9][A-Za-z0-9\-]*"
        maxLength={64}
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
    </TitleDialog>
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
    <TitleDialog
      title={<Trans>Take {right.title} away?</Trans>}
      action={<Trans>Take away</Trans>}
      write={revoke}
      danger
      onClose={onClose}
    >
      <p>
        <Trans>The member can no longer watch or download it, also where it is playing now.</Trans>
      </p>
    </TitleDialog>
  )
}
