import { Trans, useLingui } from '@lingui/react/macro'
import type { MailId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'

/** Queues an email again that was not sent. */
export function Resend({ id }: { id: MailId }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const resend = useWrite(() => api.admin.mails.resend({ id }), {
    done: t`Email queued`,
    changes: [['mails'], ['home']],
    notifiesFailure: true,
  })
  return (
    <Button size="s" loading={resend.isPending} onClick={() => resend.send(undefined)}>
      <Trans>Send again</Trans>
    </Button>
  )
}
