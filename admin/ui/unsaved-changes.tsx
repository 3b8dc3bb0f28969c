import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Button } from '~/ui/button'

// Dialogs are loaded with their first use.
const Dialog = lazy(async () => ({ default: (await import('~/ui/dialog')).Dialog }))

/** Asks before a page with unsaved changes is left. */
export function UnsavedChanges({ when }: { when: boolean }) {
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
        title={t`Leave without saving?`}
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
        <Trans>Your changes on this page are not saved.</Trans>
      </Dialog>
    </Suspense>
  )
}
