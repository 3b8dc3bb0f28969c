import { Trans } from '@lingui/react/macro'
import type { CommentId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { lazyPart } from '../../platform/lazy-part'

interface CommentReplyProps {
  id: CommentId
  /** Visitors do not see the comment yet: a reply approves it. */
  isHeld: boolean
}

export const replyButtonId = (id: CommentId) => `reply-${id}`

/** Opens the form of a reply, which takes the place of the button. */
export function ReplyButton({ id, isHeld, onOpen }: CommentReplyProps & { onOpen: () => void }) {
  return (
    <Button id={replyButtonId(id)} size="s" variant="ghost" onClick={onOpen}>
      {isHeld ? <Trans>Approve and reply</Trans> : <Trans>Reply</Trans>}
    </Button>
  )
}

// Loaded with the first reply.
export const ReplyForm = lazyPart(async () => ({ default: (await import('./reply-form')).ReplyForm }))
