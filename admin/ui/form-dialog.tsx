import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { Button, type ButtonProps } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { TextArea } from '~/ui/text-field'
import type { Failure } from '../platform/failure'
import { onSubmit } from './form'

interface FormDialogProps {
  title: ReactNode
  /** The button that sends the form. */
  action: ReactNode
  variant?: ButtonProps['variant']
  isPending: boolean
  isDisabled?: boolean | undefined
  onClose: () => void
  /** The form, which takes the id, or what is shown in its place. */
  children: (formId: string) => ReactNode
}

/** A dialog with one form, which is sent by the button at its end. */
export function FormDialog({
  title,
  action,
  variant = 'primary',
  isPending,
  isDisabled,
  onClose,
  children,
}: FormDialogProps) {
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
          <Button type="submit" form={formId} variant={variant} loading={isPending} disabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      {children(formId)}
    </Dialog>
  )
}

/** What became of a form, in the place of its dialog. */
export function ResultDialog({
  title,
  onClose,
  children,
}: Pick<FormDialogProps, 'title' | 'onClose'> & { children: ReactNode }) {
  return (
    <FormDialog title={title} action={<Trans>Close</Trans>} isPending={false} onClose={onClose}>
      {(formId) => (
        <form id={formId} onSubmit={onSubmit(onClose)}>
          {children}
        </form>
      )}
    </FormDialog>
  )
}

/** Why staff decided so, for the history: the text `reason` of its form. */
export function ReasonField({ failure }: { failure: Failure | undefined }) {
  const { t } = useLingui()
  return (
    <TextArea
      label={t`Reason`}
      hint={t`Only staff read it.`}
      name="reason"
      rows={2}
      maxLength={500}
      required
      error={failure?.fields.reason}
    />
  )
}
