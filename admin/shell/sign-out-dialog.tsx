import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { type DraftOwner, forgetDrafts } from '../platform/drafts'

interface SignOutDialogProps {
  owner: DraftOwner
  /** How many forms have unsaved changes. */
  count: number
  onSignOut: () => void
  onClose: () => void
}

/** Asks what becomes of unsaved changes: on a shared computer they are better deleted. */
export function SignOutDialog({ owner, count, onSignOut, onClose }: SignOutDialogProps) {
  const { t } = useLingui()
  const signOut = () => {
    onClose()
    onSignOut()
  }
  return (
    <Dialog
      open
      alert
      onClose={onClose}
      title={t`Keep your unsaved changes?`}
      closeLabel={t`Close`}
      footer={
        <>
          <Button
            onClick={() => {
              forgetDrafts(owner)
              signOut()
            }}
          >
            <Trans>Delete and sign out</Trans>
          </Button>
          <Button variant="primary" onClick={signOut}>
            <Trans>Keep and sign out</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Plural
          value={count}
          one="# form has unsaved changes. This browser keeps them for 30 days and offers them to you alone. Delete them on a computer that others use."
          other="# forms have unsaved changes. This browser keeps them for 30 days and offers them to you alone. Delete them on a computer that others use."
        />
      </p>
    </Dialog>
  )
}
