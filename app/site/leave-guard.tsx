import { Trans, useLingui } from '@lingui/react/macro'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { hasDirtyForm, useHasDirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import type { DialogProps } from '~/ui/dialog'

/** How long the question may take to arrive, in milliseconds. */
const dialogTimeout = 2_000

/**
 * Asks once before a navigation leaves a page with a half-filled form. Whoever stays finds the form as it was. Another search on the
 * same page keeps the form, so it does not ask.
 */
export function LeaveGuard() {
  const { t } = useLingui()
  const dirty = useHasDirtyForm()
  const [Dialog, setDialog] = useState<ComponentType<DialogProps>>()
  const router = useRouter()
  // The form stays in the document until the next page has come; whoever has decided to leave is not asked again meanwhile.
  const leaving = useRef(false)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        leaving.current = false
      }),
    [router],
  )
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasDirtyForm() && !leaving.current && current.pathname !== next.pathname,
    withResolver: true,
    // Each dirty form asks the browser by itself.
    enableBeforeUnload: false,
    disabled: !dirty,
  })
  const title = t`Leave this page?`
  const consequence = t`What you typed will be lost.`

  // Fetched with the first letter typed, so that the question is there when it is needed, even offline.
  useEffect(() => {
    if (dirty && !Dialog)
      import('~/ui/dialog').then(
        (module) => setDialog(() => module.Dialog),
        () => {},
      )
  }, [dirty, Dialog])
  useEffect(() => {
    if (status !== 'blocked' || Dialog) return
    const ask = () => {
      if (!window.confirm(`${title}\n${consequence}`)) return reset()
      leaving.current = true
      proceed()
    }
    // The dialog may still be on its way. The browser's own question stands in where it does not come.
    const late = setTimeout(ask, dialogTimeout)
    return () => clearTimeout(late)
  }, [status, Dialog, proceed, reset, title, consequence])
  const leave = () => {
    leaving.current = true
    proceed?.()
  }

  if (!Dialog) return null
  return (
    <Dialog
      open={status === 'blocked'}
      alert
      onClose={() => reset?.()}
      title={title}
      description={consequence}
      closeLabel={t`Close`}
      footer={
        <>
          <Button onClick={() => reset?.()}>
            <Trans>Keep editing</Trans>
          </Button>
          <Button variant="danger" onClick={leave}>
            <Trans>Leave page</Trans>
          </Button>
        </>
      }
    />
  )
}
