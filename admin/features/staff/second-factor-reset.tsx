import { Trans, useLingui } from '@lingui/react/macro'
import type { StaffPerson } from '#contract/staff.ts'
import { useApi } from '../../platform/client'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'

interface SecondFactorResetProps {
  person: StaffPerson
  onClose: () => void
}

/** Resets the second factor of a colleague who has lost it. */
export function SecondFactorReset({ person: { id, email }, onClose }: SecondFactorResetProps) {
  const { t } = useLingui()
  const api = useApi()
  const reset = useWrite((reason: string) => api.staff.resetSecondFactor({ id, reason }), {
    done: t`Second factor reset`,
    changes: [['staff']],
    onClose,
  })
  return (
    <FormDialog
      title={<Trans>Reset the second factor of {email}?</Trans>}
      action={<Trans>Reset</Trans>}
      variant="danger"
      writes={[reset]}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(({ reason = '' }) => reset.send(reason))}>
          <p>
            <Trans>
              Make sure that it is this person who asks. The authenticator app, the passkeys and the recovery codes are
              removed, and all sessions end. The person signs in with the password alone, sets up a new second factor,
              and gets an email.
            </Trans>
          </p>
          <ReasonField failure={reset.failure} />
          <Refusal failure={reset.failure} />
        </form>
      )}
    </FormDialog>
  )
}
