import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { type MemberId, type ProductCode, productCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { TextArea, TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import type { Failure } from '../../platform/failure'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'

type Texts = Readonly<Record<string, string | undefined>>

interface TitleDialogProps {
  title: ReactNode
  action: ReactNode
  write: { send: (texts: Texts) => void; isPending: boolean; failure: Failure | undefined }
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

function TitleDialog({ title, action, write, danger, onClose, children }: TitleDialogProps) {
  const { t } = useLingui()
  const formId = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            <Trans>Back</Trans>
          </Button>
          <Button type="submit" form={formId} variant={danger ? 'danger' : 'primary'} loading={write.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} className={form.form} onSubmit={onSubmit((texts) => write.send(texts))}>
        {children}
        <TextArea
          label={t`Reason`}
          hint={t`Only staff read it.`}
          name="reason"
          rows={2}
          maxLength={500}
          required
          error={write.failure?.fields.reason}
        />
        <Refusal failure={write.failure} />
      </form>
    </Dialog>
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
