import { Trans } from '@lingui/react/macro'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { auditEntry } from '#contract/admin/audit.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import type { Failure } from '../platform/failure'
import { useFormat } from '../platform/format'
import { useActionName } from './action-names'
import { useChangesText } from './audit-fields'
import { actorName } from './audit-text'
import { Refusal } from './form'

const conflictData = z.object({ changes: z.array(auditEntry) })

interface WriteRefusalProps {
  failure: Failure | undefined
  /** What to load again. */
  queryKey: QueryKey
  /** Called when it is loaded: forgets the failure. */
  onLoaded?: () => void
}

/** Tells who has changed the object meanwhile, and what. */
function Conflict({ failure, queryKey, onLoaded }: WriteRefusalProps) {
  const queryClient = useQueryClient()
  const { dateTime } = useFormat()
  const actionName = useActionName()
  const changesText = useChangesText()
  const data = conflictData.safeParse(failure?.data)
  return (
    <Notice tone="warning" urgent>
      <p>
        <Trans>It has changed since you opened it.</Trans>
      </p>
      <ul>
        {data.data?.changes.map((entry) => (
          <li key={entry.id}>
            {dateTime(entry.at)} · {actionName(entry.action)} · <bdi>{actorName(entry.actor)}</bdi> {changesText(entry)}
          </li>
        ))}
      </ul>
      <Button size="s" onClick={() => void queryClient.invalidateQueries({ queryKey }).then(onLoaded)}>
        <Trans>Load the latest state</Trans>
      </Button>
    </Notice>
  )
}

/** Why a change was refused that had to name the version of its object. */
export function WriteRefusal(props: WriteRefusalProps) {
  return props.failure?.code === 'VERSION_CONFLICT' ? <Conflict {...props} /> : <Refusal failure={props.failure} />
}
