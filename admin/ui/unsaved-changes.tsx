import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '~/ui/button'
import { beginUnsaved } from '../platform/unsaved'
import { LazyDialog, loadDialog } from './lazy-dialog'

interface LeaveTexts {
  /** The question, where it is not about unsaved changes. */
  title?: string | undefined
  /** What is lost. */
  text?: string | undefined
}

interface LeaveDialogProps extends LeaveTexts {
  onLeave: () => void
  onStay: () => void
}

/** Asks whether a form is left whose changes are not saved. */
export function LeaveDialog({ title, text, onLeave, onStay }: LeaveDialogProps) {
  const { t } = useLingui()
  return (
    <LazyDialog
      open
      alert
      onClose={onStay}
      title={title ?? t`Leave without saving?`}
      closeLabel={t`Close`}
      footer={
        <>
          <Button variant="ghost" onClick={onLeave}>
            <Trans>Leave</Trans>
          </Button>
          <Button variant="primary" onClick={onStay}>
            <Trans>Stay</Trans>
          </Button>
        </>
      }
    >
      {text ?? <Trans>Your changes on this page are not saved. This browser keeps them for 30 days.</Trans>}
    </LazyDialog>
  )
}

interface UnsavedChangesProps extends LeaveTexts {
  when: boolean
}

/** Asks before a page is left whose changes are not saved. */
export function UnsavedChanges({ when, ...texts }: UnsavedChangesProps) {
  const { status, proceed, reset } = useBlocker({
    // A link to a part of the page leaves nothing.
    shouldBlockFn: ({ current, next }) =>
      when && (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: when,
    withResolver: true,
  })
  useEffect(() => {
    if (!when) return undefined
    // What asks is there before the connection is lost.
    loadDialog().catch(() => {})
    return beginUnsaved()
  }, [when])
  return status === 'blocked' && <LeaveDialog {...texts} onLeave={proceed} onStay={reset} />
}
