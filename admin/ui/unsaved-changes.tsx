import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '~/ui/button'
import { LazyDialog, loadDialog } from './lazy-dialog'

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
    // A link to a part of the page leaves nothing.
    shouldBlockFn: ({ current, next }) =>
      when && (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: when,
    withResolver: true,
  })
  useEffect(() => {
    // What asks is there before the connection is lost.
    if (when) loadDialog().catch(() => {})
  }, [when])
  if (status !== 'blocked') return null
  return (
    <LazyDialog
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
      {text ?? <Trans>Your changes on this page are not saved. This browser keeps them for 30 days.</Trans>}
    </LazyDialog>
  )
}
