import { Trans } from '@lingui/react/macro'
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { auditEntry } from '#contract/admin/audit.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { type Failure, failureOf } from '../platform/failure'
import { useFormat } from '../platform/format'
import { notify } from '../platform/notifications'
import { useActionName } from './action-names'
import { useChangesText } from './audit-fields'
import { type AuditEntry, actorName } from './audit-text'
import { Refusal } from './form'

const conflictData = z.object({ changes: z.array(auditEntry) })
const conflictHistory = z.object({ history: z.array(auditEntry) })
const withHistory = z.object({ history: z.array(z.object({ at: z.string() })) })

/** When the object was last changed as far as its page knows: a time of the server. */
const lastKnownChange = (queryClient: QueryClient, queryKey: QueryKey): string | undefined => {
  const { data } = withHistory.safeParse(queryClient.getQueryData(queryKey))
  return data && (data.history[0]?.at ?? '')
}

/**
 * The changes since one of these times, the first that has any: the page may have been loaded again
 * while the form kept the older state. All where the clocks differ.
 */
const changesSince = (changes: readonly AuditEntry[], times: readonly (string | undefined)[]) =>
  times.map((time) => changes.filter(({ at }) => time !== undefined && at > time)).find((newer) => newer.length > 0) ??
  changes

interface WriteRefusalProps {
  failure: Failure | undefined
  /** What to load again. */
  queryKey: QueryKey
  /** Called when it is loaded: forgets the failure. */
  onLoaded?: () => void
}

/** Changes of an object: when, by whom, and what was changed. */
function Changes({ changes }: { changes: readonly AuditEntry[] }) {
  const { dateTime } = useFormat()
  const actionName = useActionName()
  const changesText = useChangesText()
  return (
    <ul>
      {changes.map((entry) => (
        <li key={entry.id}>
          {dateTime(entry.at)} · {actionName(entry.action)} · <bdi>{actorName(entry.actor)}</bdi>
          {changesText(entry)
            .split('\n')
            .filter(Boolean)
            .map((line) => (
              <div key={line}>{line}</div>
            ))}
        </li>
      ))}
    </ul>
  )
}

/** Tells that an object has changed since a time, and what was changed as far as its page knows. */
export function ChangesSince({ queryKey, time }: { queryKey: QueryKey; time: string }) {
  const { data } = conflictHistory.safeParse(useQueryClient().getQueryData(queryKey))
  return (
    <>
      <p>
        <Trans>It has changed since then.</Trans>
      </p>
      <Changes changes={data?.history.filter(({ at }) => at > time) ?? []} />
    </>
  )
}

/** Loads an object again. If that fails, its form stays as it is. */
export function LoadLatest({ queryKey, onLoaded }: { queryKey: QueryKey; onLoaded: (() => void) | undefined }) {
  const queryClient = useQueryClient()
  const load = useMutation({
    mutationFn: () => queryClient.invalidateQueries({ queryKey }, { throwOnError: true }),
    onSuccess: () => onLoaded?.(),
    onError: (error) => notify('error', failureOf(error)),
  })
  return (
    <Button size="s" loading={load.isPending} onClick={() => load.mutate()}>
      <Trans>Load the latest state</Trans>
    </Button>
  )
}

/** Tells who has changed the object meanwhile, and what. */
function Conflict({ failure, queryKey, onLoaded, openedAt }: WriteRefusalProps & { openedAt: string }) {
  const queryClient = useQueryClient()
  const { data } = conflictData.safeParse(failure?.data)
  const changes = changesSince(data?.changes ?? [], [lastKnownChange(queryClient, queryKey), openedAt])
  return (
    <Notice tone="warning" urgent>
      <p>
        <Trans>It has changed since you opened it.</Trans>
      </p>
      <Changes changes={changes} />
      <LoadLatest queryKey={queryKey} onLoaded={onLoaded} />
    </Notice>
  )
}

/** Why a change was refused that had to name the version of its object. */
export function WriteRefusal(props: WriteRefusalProps) {
  const queryClient = useQueryClient()
  const [openedAt] = useState(() => lastKnownChange(queryClient, props.queryKey) ?? new Date().toISOString())
  if (props.failure?.code !== 'VERSION_CONFLICT') return <Refusal failure={props.failure} />
  return <Conflict {...props} openedAt={openedAt} />
}
