import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CommentsChangeResult, ModeratedState } from '#contract/admin/queues.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ResultDialog } from '../../ui/form-dialog'
import { TextArea } from '../../ui/text-field'
import { commentsKey } from './comments.queries'
import type { ReadComment } from './use-decisions'

function Results({ items }: CommentsChangeResult) {
  const countOf = (wanted: (typeof items)[number]['result']) => items.filter(({ result }) => result === wanted).length
  const [changed, unchanged, missing] = [countOf('CHANGED'), countOf('UNCHANGED'), countOf('NOT_FOUND')]
  const [deleted, edited] = [countOf('DELETED'), countOf('VERSION_CONFLICT')]
  return (
    <Notice tone={deleted + missing + edited > 0 ? 'warning' : 'success'}>
      <Plural value={changed} one="# comment was changed." other="# comments were changed." />{' '}
      {unchanged > 0 && <Plural value={unchanged} one="# was so already." other="# were so already." />}{' '}
      {edited > 0 && (
        <Plural
          value={edited}
          one="The author has edited # since you read it: read it again."
          other="Their authors have edited # since you read them: read them again."
        />
      )}{' '}
      {deleted > 0 && <Plural value={deleted} one="The author has deleted #." other="Their authors have deleted #." />}{' '}
      {missing > 0 && <Plural value={missing} one="# no longer exists." other="# no longer exist." />}
    </Notice>
  )
}

const changes = [commentsKey, ['home']]
const states: readonly ModeratedState[] = ['HIDDEN', 'SHOWN', 'HELD']

interface CommentsDialogProps {
  /** The chosen comments with the texts that were read. */
  comments: readonly ReadComment[]
  onClose: (isDone?: boolean) => void
}

/** Publishes, hides or holds the chosen comments; publishes none that was edited since. */
export function CommentsDialog({ comments, onClose }: CommentsDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const change = useWrite(api.admin.comments.changeMany, { changes })
  const title = <Plural value={comments.length} one="Change # comment" other="Change # comments" />
  const { answer, failure } = change
  if (answer) {
    const items = answer.items.flatMap(({ before }) => before ?? [])
    const undo = async () => {
      const restored = await api.admin.comments.restoreMany({ items })
      return restored.items.filter(({ result }) => result !== 'CHANGED' && result !== 'UNCHANGED').length
    }
    return (
      <ResultDialog
        title={title}
        onClose={() => onClose(true)}
        undo={items.length > 0 ? undo : undefined}
        changes={changes}
      >
        <Results items={answer.items} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog title={title} action={<Trans>Change</Trans>} writes={[change]} onClose={() => onClose()}>
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ state: chosen, note }) => {
            const state = states.find((each) => each === chosen) ?? 'HIDDEN'
            change.send({
              ids: comments.map(({ id }) => id),
              state,
              ...(state === 'SHOWN' && {
                editedAt: Object.fromEntries(comments.map((read) => [read.id, read.editedAt])),
              }),
              ...(note && { note }),
            })
          })}
        >
          <Refusal failure={failure} />
          <Select
            label={t`Decision`}
            name="state"
            options={[
              { value: 'HIDDEN', label: t`Hide: only their authors see them` },
              { value: 'SHOWN', label: t`Publish: everyone sees them` },
              { value: 'HELD', label: t`Hold: they wait for a decision` },
            ]}
          />
          <TextArea
            label={t`Reason`}
            hint={t`Only staff read it.`}
            name="note"
            rows={2}
            maxLength={500}
            error={failure?.fields.note}
          />
        </form>
      )}
    </FormDialog>
  )
}
