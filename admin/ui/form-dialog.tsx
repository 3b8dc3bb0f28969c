import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Button, type ButtonProps } from '~/ui/button'
import { Notice } from '~/ui/notice'
import type { Failure } from '../platform/failure'
import { useWrite } from '../platform/use-write'
import { onSubmit, Refusal } from './form'
import form from './form.module.css'
import { FormDraft } from './form-draft'
import { type FormWrite, useTyped } from './form-guard'
import { LazyDialog } from './lazy-dialog'
import { TextArea } from './text-field'
import { LeaveDialog, UnsavedChanges } from './unsaved-changes'

interface FormDialogProps {
  title: ReactNode
  /** The button that sends the form. */
  action: ReactNode
  variant?: ButtonProps['variant']
  /** What sends the form. */
  writes: readonly FormWrite[]
  /**
   * Which form of the page it is: the browser keeps what is typed into it. Without it, what is
   * typed is lost, after a question.
   */
  part?: string
  isDisabled?: boolean | undefined
  onClose: () => void
  /** In place of the button that leaves the dialog without sending the form. */
  other?: ReactNode
  /** The form, which takes the id, or what is shown in its place. */
  children: (formId: string) => ReactNode
}

/**
 * A dialog with one form, which is sent by the button at its end. Whoever has typed something is
 * asked before it closes.
 */
export function FormDialog({
  title,
  action,
  variant = 'primary',
  writes,
  part,
  isDisabled,
  onClose,
  other,
  children,
}: FormDialogProps) {
  const { t } = useLingui()
  const formId = useId()
  const formOf = () => {
    const element = document.getElementById(formId)
    return element instanceof HTMLFormElement ? element : null
  }
  const [isTyped, setTyped] = useTyped(formOf, writes, { isNameNeeded: true })
  const [isLeaving, setLeaving] = useState(false)
  const isPending = writes.some((write) => write.isPending)
  // A choice that saves nothing is made again in a moment.
  const isUnsaved = isTyped && writes.length > 0 && !isPending
  const leave = () => (isUnsaved ? setLeaving(true) : onClose())
  const lost = part === undefined ? t`What you have typed here is lost.` : undefined
  const back = (
    <Button variant="ghost" onClick={leave}>
      <Trans>Back</Trans>
    </Button>
  )
  return (
    <LazyDialog
      open
      onClose={leave}
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
      <div className={form.fields}>
        {part !== undefined && (
          <FormDraft part={part} formId={formId} isDirty={isTyped} onRestore={() => setTyped(true)} />
        )}
        {children(formId)}
      </div>
      <UnsavedChanges when={isUnsaved} text={lost} />
      {isLeaving && <LeaveDialog text={lost} onLeave={onClose} onStay={() => setLeaving(false)} />}
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
    <FormDialog title={title} action={<Trans>Close</Trans>} writes={[]} onClose={onClose} other={undoButton || null}>
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
