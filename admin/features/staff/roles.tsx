import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { StaffRoleId } from '#contract/ids.ts'
import { type Permission, permission } from '#contract/permissions.ts'
import type { RoleListing } from '#contract/staff.ts'
import { Button } from '~/ui/button'
import { useApi } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { FormButtons, onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { heldState } from '../../ui/form-draft'
import { FormGuard } from '../../ui/form-guard'
import { HistoryLink } from '../../ui/history-link'
import { useOpenedForm } from '../../ui/opened-form'
import { Page, Section } from '../../ui/page'
import { permissionLabels } from '../../ui/permission-labels'
import { RemovableRows } from '../../ui/row-focus'
import { Loaded } from '../../ui/states'
import { TextField } from '../../ui/text-field'
import { PermissionChoice } from './permission-choice'
import { useRoleName } from './role-labels'
import { rolesQuery } from './staff.queries'
import { usablePermissions } from './usable-permissions'

const changes = [['staff']]

/** Creates a role of the store's own, or changes one. */
function RoleForm({ role, onDone }: { role?: RoleListing & { id: StaffRoleId }; onDone: () => void }) {
  const { t } = useLingui()
  const opened = useOpenedForm(role ? `role-${role.id}` : 'new-role')
  const api = useApi()
  const [chosen, setChosen] = useState<readonly Permission[]>(role?.permissions ?? [])
  // Of the role as it was opened: others may change it meanwhile.
  const [version] = useState(role?.version ?? '')
  const save = useWrite(
    async (name: string) => {
      const fields = { name, permissions: [...chosen] }
      if (role) await api.staff.changeOwnRole({ id: role.id, ...fields }, { context: { ifMatch: version } })
      else await api.staff.createRole(fields)
    },
    { done: t`Role saved`, changes, onDone },
  )
  return (
    <form ref={opened} className={form.form} onSubmit={onSubmit(({ name = '' }) => save.send(name))}>
      <FormGuard
        write={save}
        part={`role ${role?.id ?? 'new'}`}
        held={heldState(chosen, z.array(permission), setChosen)}
      />
      <WriteRefusal failure={save.failure} queryKey={rolesQuery(api).queryKey} onLoaded={onDone} />
      <TextField
        label={t`Name`}
        name="name"
        defaultValue={role?.name}
        maxLength={60}
        required
        error={save.failure?.fields.name}
      />
      <PermissionChoice
        chosen={chosen}
        onChange={(next) => setChosen(usablePermissions(chosen, next))}
        error={save.failure?.fields.permissions}
      />
      <FormButtons isPending={save.isPending} onBack={onDone} />
    </form>
  )
}

function OwnRoleActions({ id, name, onEdit }: { id: StaffRoleId; name: string; onEdit: () => void }) {
  const { t } = useLingui()
  const api = useApi()
  const remove = useWrite(() => api.staff.deleteRole({ id }), { done: t`Role deleted`, changes, notifiesFailure: true })
  const confirm = useConfirm({
    title: t`Delete the role ${name}?`,
    action: t`Delete`,
    word: name,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <>
      <Button id={`role-${id}`} size="s" onClick={onEdit}>
        <Trans>Change</Trans>
      </Button>
      <Button size="s" variant="ghost" onClick={confirm.ask}>
        <Trans>Delete</Trans>
      </Button>
      {confirm.dialog}
    </>
  )
}

/** The roles of the store with their permissions. */
export function Roles() {
  const { t, i18n } = useLingui()
  const { number } = useFormat()
  const may = useMay()
  const roleName = useRoleName()
  const roles = useQuery(rolesQuery(useApi()))
  const [edited, setEdited] = useState<StaffRoleId | 'new'>()
  const close = () => setEdited(undefined)
  return (
    <Page
      title={t`Roles`}
      actions={
        may('staff:write') && (
          <Button id="new-role" icon="plus" onClick={() => setEdited('new')}>
            <Trans>New role</Trans>
          </Button>
        )
      }
    >
      {edited === 'new' && (
        <Section title={<Trans>New role</Trans>}>
          <RoleForm onDone={close} />
        </Section>
      )}
      <Section title={<Trans>Roles</Trans>}>
        <Loaded query={roles}>
          {({ items }) => (
            <RemovableRows
              items={items.map((listing) => {
                const { role, id, name, permissions, people } = listing
                const isEdited = id !== null && edited === id
                return {
                  key: role ?? id ?? name,
                  title: <bdi>{roleName({ role, roleName: name })}</bdi>,
                  detail: isEdited ? (
                    <RoleForm role={{ ...listing, id }} onDone={close} />
                  ) : (
                    `${t`People: ${number(people)}`} · ${permissions.map((each) => i18n._(permissionLabels[each])).join(', ')}`
                  ),
                  end: id !== null && !isEdited && (
                    <>
                      <HistoryLink subject={`staff-role:${id}`} name={name} />
                      {may('staff:write') && <OwnRoleActions id={id} name={name} onEdit={() => setEdited(id)} />}
                    </>
                  ),
                }
              })}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
