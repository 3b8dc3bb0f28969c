import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Button } from '~/ui/button'

// Dialogs are loaded with their first use.
const Dialog = lazy(async () => ({ default: (await import('~/ui/dialog')).Dialog }))

interface UnsavedChangesProps {
  when: boolean
  /** The question, where it is not about unsaved changes. */
  title?: string
  /** What is lost. */
  text?: string
}

/** Asks before a page is left whose changes are not saved. */
export function UnsavedChanges({ when, title, text }: UnsavedChangesProps) {
  const { t } = useLingui()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: when,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Suspense>
      <Dialog
        open
        alert
        onClose={reset}
        title={title ?? t`Leave without saving?`}
        closeLabel={t`Close`}
        footer={
          <>
            <Button variant="ghost" onClick={proceed}>
              <Trans>Leave</Trans>
            </Button>
            <Button variant="primary" onClick={reset}>
              <Trans>Stay</Trans>
            </Button>
          </>
        }
      >
        {text ?? <Trans>Your changes on this page are not saved.</Trans>}
      </Dialog>
    </Suspense>
  )
}
