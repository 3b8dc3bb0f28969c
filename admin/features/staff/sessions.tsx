import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { type ConsoleApi, useApi } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useWrite } from '../../platform/use-write'
import { Section } from '../../ui/page'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { useDeviceName } from '../../ui/use-device-name'

const sessionsQuery = (api: ConsoleApi) => queryOptions({ queryKey: ['sessions'], queryFn: () => api.staff.sessions() })

/** Where the person is signed in. */
export function Sessions() {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const nameOf = useDeviceName()
  const api = useApi()
  const sessions = useQuery(sessionsQuery(api))
  const changes = [['sessions']]
  const end = useWrite(api.staff.endSession, { done: t`Session ended`, changes, notifiesFailure: true })
  const endOthers = useWrite(() => api.staff.endOtherSessions(), {
    done: t`All other sessions have ended`,
    changes,
    notifiesFailure: true,
  })
  return (
    <Section
      title={<Trans>Sessions</Trans>}
      actions={
        (sessions.data?.items.length ?? 0) > 1 && (
          <Button size="s" loading={endOthers.isPending} onClick={() => endOthers.send(undefined)}>
            <Trans>End all others</Trans>
          </Button>
        )
      }
    >
      <Loaded query={sessions}>
        {({ items }) => (
          <RemovableRows
            items={items.map((session) => ({
              key: session.id,
              title: nameOf(session.device),
              detail: `${session.address} · ${dateTime(session.lastSeenAt)}`,
              end: session.current ? (
                <Badge tone="success">
                  <Trans>This session</Trans>
                </Badge>
              ) : (
                <Button size="s" variant="outline" loading={end.isPending} onClick={() => end.send({ id: session.id })}>
                  <Trans>End</Trans>
                </Button>
              ),
            }))}
          />
        )}
      </Loaded>
    </Section>
  )
}
