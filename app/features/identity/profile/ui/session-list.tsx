import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Session } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { useDeviceName } from '~/platform/format/use-device-name'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { endOtherSessions, endSession, sessionsQuery } from '../profile.functions'
import styles from './profile.module.css'
import { SaveOutcome, type Saving, useSave } from './section'

/** The member's sessions, each of which can be ended. */
export function SessionList({ first }: { first: Saving }) {
  const queryClient = useQueryClient()
  const { data: sessions } = useSuspenseQuery(sessionsQuery)
  const element = useRef<HTMLFormElement>(null)
  const { save, ...saving } = useSave(first, element)
  const [ending, setEnding] = useState<string | null>(null)

  const end = async (what: string, run: () => Promise<unknown>) => {
    setEnding(what)
    await save(async () => {
      await run()
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    })
    setEnding(null)
  }
  const endOne = (session: Session) =>
    end(session.id, () => call((signal) => endSession({ data: { id: session.id }, signal })))
  const endOthers = (event: FormEvent) => {
    event.preventDefault()
    void end('others', () => call((signal) => endOtherSessions({ signal })))
  }

  return (
    <>
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            pending={ending === session.id}
            onEnd={() => void endOne(session)}
          />
        ))}
      </ul>
      <form ref={element} method="post" onSubmit={endOthers} className={styles.end}>
        <input type="hidden" name="form" value="sessions" />
        {sessions.length > 1 && (
          <Button type="submit" icon="logout" loading={ending === 'others'}>
            <Trans>Sign out all other devices</Trans>
          </Button>
        )}
        <SaveOutcome {...saving} />
      </form>
    </>
  )
}

interface SessionRowProps {
  session: Session
  pending: boolean
  onEnd: () => void
}

function SessionRow({ session, pending, onEnd }: SessionRowProps) {
  const { t } = useLingui()
  const format = useFormat()
  const name = useDeviceName()(session.device)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onEnd()
  }
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.device}>
          {name}
          {session.current && (
            <Badge tone="success">
              <Trans>This device</Trans>
            </Badge>
          )}
        </p>
        <p className={styles.seen}>
          <Trans>
            Last active {format.dateTime(session.lastSeenAt)}, signed in {format.date(session.createdAt)},{' '}
            <bdi>{session.address}</bdi>
          </Trans>
        </p>
      </div>
      {!session.current && (
        <form method="post" onSubmit={submit}>
          <input type="hidden" name="form" value="session" />
          <input type="hidden" name="id" value={session.id} />
          <Button type="submit" size="s" variant="outline" loading={pending} aria-label={t`Sign out ${name}`}>
            <Trans>Sign out</Trans>
          </Button>
        </form>
      )}
    </li>
  )
}
