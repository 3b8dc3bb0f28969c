import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Failure } from '../../platform/failure'
import { useIsConfirmed } from '../../platform/session'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import type { FormWrite } from '../../ui/form-guard'
import { SecondFactorNotice } from '../../ui/read-only-notice'

interface MemberDialogProps {
  title: ReactNode
  action: ReactNode
  write: FormWrite & { send: (texts: Texts) => void; failure: Failure | undefined; reset: () => void }
  danger?: boolean
  isDisabled?: boolean
  /** Whether the session must be confirmed: titles are given away, or an account ends. */
  needsSecondFactor?: boolean
  /** What to load again where somebody else was faster. */
  changed?: QueryKey
  /** What to do then, where the fields have the former state. Forgets the refusal otherwise. */
  onLoaded?: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog about a member that asks for the reason. */
export function MemberDialog(props: MemberDialogProps) {
  const { title, action, write, danger, isDisabled, changed, onClose, children } = props
  const { onLoaded = write.reset, needsSecondFactor = false } = props
  const isUnconfirmed = !useIsConfirmed() && needsSecondFactor
  return (
    <FormDialog
      title={title}
      action={action}
      variant={danger ? 'danger' : 'primary'}
      writes={[write]}
      isDisabled={isDisabled || isUnconfirmed}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((texts) => write.send(texts))}>
          {isUnconfirmed && <SecondFactorNotice />}
          {children}
          <ReasonField failure={write.failure} />
          {changed ? (
            <WriteRefusal failure={write.failure} queryKey={changed} onLoaded={onLoaded} />
          ) : (
            <Refusal failure={write.failure} />
          )}
        </form>
      )}
    </FormDialog>
  )
}
