import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import type { StoreMail } from '#contract/admin/mails.ts'
import type { MailId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useMailNotice } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'

const useResend = (id: MailId, onDone?: (queued: { id: MailId }) => void) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const mailNotice = useMailNotice()
  return useWrite(() => api.admin.mails.resend({ id }), {
    done: mailNotice(t`Email queued`),
    changes: [['mails'], ['home']],
    notifiesFailure: true,
    ...(onDone && { onDone }),
  })
}

/** Queues an email again that was not sent. */
export function Resend({ id }: { id: MailId }) {
  const resend = useResend(id)
  return (
    <Button size="s" loading={resend.isPending} onClick={() => resend.send(undefined)}>
      <Trans>Send again</Trans>
    </Button>
  )
}

/** Queues a copy of an email that was sent, once that is confirmed, and opens the copy. */
export function ResendSent({ mail: { id, to } }: Pick<StoreMail, 'mail'>) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const resend = useResend(id, (copy) => void navigate({ to: '/mails/$id', params: { id: copy.id } }))
  const confirm = useConfirm({
    title: t`Send this email again?`,
    text: (
      <>
        <p>
          <Trans>
            Recipient: <bdi>{to}</bdi>
          </Trans>
        </p>
        <p>
          <Trans>The text stays as it was, also where it is out of date, such as a deadline that has passed.</Trans>
        </p>
      </>
    ),
    action: t`Send again`,
    onConfirm: () => resend.sendAsync(undefined),
  })
  return (
    <>
      <Button size="s" onClick={confirm.ask}>
        <Trans>Send again</Trans>
      </Button>
      {confirm.dialog}
    </>
  )
}
