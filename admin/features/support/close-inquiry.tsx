import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { StoreInquiry } from '#contract/admin/inquiries.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { inquiryChanges } from './support.queries'

interface Props {
  inquiry: Pick<StoreInquiry, 'code' | 'version'>
}

function CloseDialog({ inquiry, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui()
  const { inquiries } = useAdminApi().admin
  // The version belongs to what was read before the dialog was opened.
  const [{ code, version }] = useState(inquiry)
  const close = useWrite((reason: string) => inquiries.close({ code, reason }, { context: { ifMatch: version } }), {
    done: t`Inquiry closed`,
    changes: inquiryChanges(code),
    onClose,
  })
  return (
    <FormDialog
      title={<Trans>Close without an answer</Trans>}
      action={<Trans>Close inquiry</Trans>}
      writes={[close]}
      onClose={onClose}
    >
      {(id) => (
        <form id={id} className={form.form} onSubmit={onSubmit(({ reason = '' }) => close.send(reason))}>
          <p>
            <Trans>
              The member gets no email and sees the inquiry as closed. Another message of the member opens it again.
            </Trans>
          </p>
          <WriteRefusal failure={close.failure} queryKey={['inquiry', code]} onLoaded={onClose} />
          <ReasonField failure={close.failure} />
        </form>
      )}
    </FormDialog>
  )
}

/** Closes an inquiry that needs no answer. */
export function CloseInquiry({ inquiry }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="s" onClick={() => setOpen(true)}>
        <Trans>Close without an answer</Trans>
      </Button>
      {isOpen && <CloseDialog inquiry={inquiry} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Lets an answered or closed inquiry await an answer again. */
export function ReopenInquiry({ inquiry: { code, version } }: Props) {
  const { t } = useLingui()
  const { inquiries } = useAdminApi().admin
  const reopen = useWrite(() => inquiries.reopen({ code }, { context: { ifMatch: version } }), {
    done: t`The inquiry awaits an answer again`,
    changes: inquiryChanges(code),
    notifiesFailure: true,
  })
  return (
    <Button size="s" loading={reopen.isPending} onClick={() => reopen.send(undefined)}>
      <Trans>Reopen</Trans>
    </Button>
  )
}
