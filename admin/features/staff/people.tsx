import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StaffPerson } from '#contract/staff.ts'
import { Button, IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Select } from '~/ui/select'
import { useApi } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useMay, useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { HistoryLink } from '../../ui/history-link'
import { Page, Section } from '../../ui/page'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { Invitations } from './invitations'
import { grantOf, useRoleName, useRoleOptions } from './role-labels'
import { SecondFactorReset } from './second-factor-reset'
import { peopleKey, peopleQuery } from './staff.queries'

const changes = [['staff']]

function Rights({ person }: { person: StaffPerson }) {
  const { t } = useLingui()
  const api = useApi()
  const { query, optionsOf } = useRoleOptions()
  const roleName = useRoleName()
  const { id, email, role, roleId, version } = person
  const present = role ?? roleId ?? ''
  const [chosen, setChosen] = useState(present)
  const change = useWrite(
    (value: string) => api.staff.changeRole({ id, grant: grantOf(value) }, { context: { ifMatch: version } }),
    { done: t`Role changed`, changes },
  )
  const options = query.data ? optionsOf(query.data) : []
  const chosenName = options.find(({ value }) => value === chosen)?.label ?? ''
  const save = useConfirm({
    title: t`Change the role of ${email}?`,
    text: (
      <Trans>
        From {roleName(person)} to {chosenName}. It counts from the next click of this person.
      </Trans>
    ),
    action: t`Change role`,
    onConfirm: () => change.sendAsync(chosen),
  })
  const remove = useWrite(() => api.staff.remove({ id }), {
    done: t`Removed from the store`,
    changes,
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Remove ${email} from the store?`,
    text: <Trans>The sessions of this person end at once.</Trans>,
    action: t`Remove`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <>
      {query.data ? (
        <Select
          label={t`Role of ${email}`}
          labelHidden
          size="s"
          options={options}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        />
      ) : (
        roleName(person)
      )}
      {query.isError && (
        <Button size="s" onClick={() => void query.refetch()}>
          <Trans>Load the roles again</Trans>
        </Button>
      )}
      {chosen !== present && (
        <>
          <Button size="s" variant="primary" loading={change.isPending} onClick={save.ask}>
            <Trans>Save role</Trans>
          </Button>
          <Button size="s" variant="ghost" onClick={() => setChosen(present)}>
            <Trans>Back</Trans>
          </Button>
        </>
      )}
      <IconButton icon="trash" size="s" label={t`Remove ${email}`} onClick={confirm.ask} />
      <WriteRefusal failure={change.failure} queryKey={peopleKey} onLoaded={change.reset} />
      {confirm.dialog}
      {save.dialog}
    </>
  )
}

/** The people who manage the store, and the open invitations. */
export function People() {
  const { t } = useLingui()
  const { date, dateTime } = useFormat()
  const [lost, setLost] = useState<StaffPerson>()
  const me = useMe()
  const may = useMay()
  const roleName = useRoleName()
  const people = useQuery(peopleQuery(useApi()))
  return (
    <Page
      title={t`Staff`}
      actions={
        <>
          <Button render={<Link to="/staff/roles" />}>
            <Trans>Roles</Trans>
          </Button>
          <Button render={<Link to="/staff/tokens" />}>
            <Trans>Tokens</Trans>
          </Button>
        </>
      }
    >
      <Section title={<Trans>People</Trans>}>
        <Loaded query={people}>
          {({ items }) => (
            <RemovableRows
              items={items.map((person) => ({
                key: person.id,
                title: (
                  <>
                    <bdi>{person.name}</bdi>{' '}
                    {person.hasSecondFactor && (
                      <Badge tone="success">
                        <Trans>Authenticator app</Trans>
                      </Badge>
                    )}
                  </>
                ),
                detail: [
                  person.email,
                  t`since ${date(person.createdAt)}`,
                  person.lastSeenAt ? t`last seen ${dateTime(person.lastSeenAt)}` : t`never signed in`,
                ].join(' · '),
                // Nobody changes their own rights by accident.
                end: (
                  <>
                    <HistoryLink subject={`staff:${person.id}`} name={person.email} />
                    {may('staff:write') && person.id !== me.id ? (
                      <>
                        <Rights key={person.role ?? person.roleId} person={person} />
                        {person.hasSecondFactor && (
                          <Button
                            size="s"
                            aria-label={t`Reset the second factor of ${person.email}`}
                            onClick={() => setLost(person)}
                          >
                            <Trans>Reset the second factor</Trans>
                          </Button>
                        )}
                      </>
                    ) : (
                      roleName(person)
                    )}
                  </>
                ),
              }))}
            />
          )}
        </Loaded>
      </Section>
      <Invitations />
      {lost && <SecondFactorReset person={lost} onClose={() => setLost(undefined)} />}
    </Page>
  )
}
