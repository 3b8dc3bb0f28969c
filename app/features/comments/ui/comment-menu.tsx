import { lazy, Suspense, useState } from 'react'
import { useMe } from '~/platform/shell/shell.functions'
import type { CommentActionsProps } from './comment-actions'
import { MoreButton } from './more-button'

const load = () => import('./comment-actions')
const CommentActions = lazy(() => load().then((m) => ({ default: m.CommentActions })))
const loadAhead = () => void load().catch(() => {})

/** What one may do with a comment. The menu weighs more than all comments, and comes when its button is pointed at or pressed. */
export function CommentMenu(props: CommentActionsProps) {
  const [wanted, setWanted] = useState(false)
  if (!useMe()) return null
  if (!wanted)
    return (
      <MoreButton
        aria-expanded={false}
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
        onClick={() => setWanted(true)}
      />
    )
  return (
    <Suspense fallback={<MoreButton />}>
      <CommentActions {...props} />
    </Suspense>
  )
}
