import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Button, type ButtonProps } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { TextArea } from '~/ui/text-field'
import type { Failure } from '../platform/failure'
import { useWrite } from '../platform/use-write'
import { onSubmit, Refusal } from './form'
import form from './form.module.css'
import { LazyDialog } from './lazy-dialog'

interface FormDialogProps {
  title: ReactNode
  /** The button that sends the form. */
  action: ReactNode
  variant?: ButtonProps['variant']
  isPending: boolean
  isDisabled?: boolean | undefined
  onClose: () => void
  /** In place of the button that leaves the dialog without sending the form. */
  other?: ReactNode
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
  other,
  children,
}: FormDialogProps) {
  const { t } = useLingui()
  const formId = useId()
  const back = (
    <Button variant="ghost" onClick={onClose}>
      <Trans>Back</Trans>
    </Button>
  )
  return (
    <LazyDialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      footer={
        <>
          {other === undefined ? back : other}
          <Button type="submit" form={formId} variant={variant} loading={isPending} disabled={isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      {children(formId)}
    </LazyDialog>
  )
}

interface ResultDialogProps extends Pick<FormDialogProps, 'title' | 'onClose'> {
  /** Undoes what was done. Resolves to how many could not be undone. Absent where nothing was. */
  undo?: (() => Promise<number>) | undefined
  /** The queries to load again. */
  changes: readonly QueryKey[]
  children: ReactNode
}

/** What became of a form, in the place of its dialog. */
export function ResultDialog({ title, onClose, undo, changes, children }: ResultDialogProps) {
  const { t } = useLingui()
  const undoing = useWrite(async () => (undo ? undo() : 0), { done: t`Undone`, changes })
  const { answer: left, failure } = undoing
  const undoButton = undo && left === undefined && (
    <Button loading={undoing.isPending} onClick={() => undoing.send(undefined)}>
      <Trans>Undo</Trans>
    </Button>
  )
  return (
    <FormDialog
      title={title}
      action={<Trans>Close</Trans>}
      isPending={false}
      onClose={onClose}
      other={undoButton || null}
    >
      {(formId) => (
        <form id={formId} className={form.fields} onSubmit={onSubmit(onClose)}>
          {left === undefined ? children : null}
          {left !== undefined && (
            <Notice tone={left > 0 ? 'warning' : 'success'}>
              {left > 0 ? (
                <Plural
                  value={left}
                  one="# was changed again meanwhile and stays as it is. The rest is as it was before."
                  other="# were changed again meanwhile and stay as they are. The rest is as it was before."
                />
              ) : (
                <Trans>Everything is as it was before.</Trans>
              )}
            </Notice>
          )}
          <Refusal failure={failure} />
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
