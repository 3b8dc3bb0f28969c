import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { TextField } from '../../ui/text-field'
import { videoQuery } from './videos.queries'

/** Gives a video a name for staff; without one it has the name of its file. */
export function RenameDialog({ video, onClose }: { video: StoreVideo; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { id, version } = video
  const { queryKey } = videoQuery(api, id)
  const rename = useWrite(
    (name: string) => api.admin.videos.rename({ id, name: name.trim() || null }, { context: { ifMatch: version } }),
    {
      done: t`Name saved`,
      changes: [['video-library']],
      answers: (saved) => [queryKey, saved],
      onClose,
    },
  )
  return (
    <FormDialog title={<Trans>Rename video</Trans>} action={<Trans>Save</Trans>} writes={[rename]} onClose={onClose}>
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(({ name }) => rename.send(name ?? ''))}>
          <WriteRefusal failure={rename.failure} queryKey={queryKey} onLoaded={onClose} />
          <TextField
            label={t`Name`}
            hint={t`Only staff read it. Without one, it has the name of its file.`}
            name="name"
            defaultValue={video.name ?? ''}
            maxLength={200}
            error={rename.failure?.fields.name}
          />
        </form>
      )}
    </FormDialog>
  )
}
