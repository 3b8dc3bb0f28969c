import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { SavedView, ViewedList } from '#contract/admin/views.ts'
import { Checkbox } from '~/ui/choice'
import { useApi } from '../platform/client'
import { useWrite } from '../platform/use-write'
import { onSubmit, Refusal, type Texts } from './form'
import form from './form.module.css'
import { FormDialog } from './form-dialog'
import { TextField } from './text-field'

interface ViewDialogProps {
  list: ViewedList
  search: Readonly<Record<string, string>>
  /** The view that is renamed. Without one, a new view is saved. */
  view: SavedView | undefined
  /** The queries to load again. */
  changes: readonly QueryKey[]
  onClose: () => void
}

/** Names a view of a list. */
export function ViewDialog({ list, search, view, changes, onClose }: ViewDialogProps) {
  const { t } = useLingui()
  const { staff } = useApi()
  const save = useWrite(
    ({ name = '', shared }: Texts) =>
      view
        ? staff.changeView({ id: view.id, name })
        : staff.saveView({ list, name, search, isShared: shared !== undefined }),
    { done: t`View saved`, changes, onClose },
  )
  return (
    <FormDialog
      title={view ? <Trans>Rename the view</Trans> : <Trans>Save view</Trans>}
      action={<Trans>Save</Trans>}
      writes={[save]}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((texts) => save.send(texts))}>
          <Refusal failure={save.failure} />
          <TextField
            label={t`Name`}
            hint={view ? undefined : t`The filters, the sorting and the columns are saved under this name.`}
            name="name"
            defaultValue={view?.name}
            error={save.failure?.fields.name}
            maxLength={60}
            autoComplete="off"
            required
          />
          {!view && <Checkbox name="shared" label={t`All staff of the store see it`} />}
        </form>
      )}
    </FormDialog>
  )
}
