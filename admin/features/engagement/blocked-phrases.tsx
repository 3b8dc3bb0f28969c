import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { BlockedPhrases } from '#contract/admin/queues.ts'
import { TextArea } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { Loaded } from '../../ui/states'

const phrasesKey = ['blocked-phrases']

/** The words and phrases of a text, one a line. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

interface PhrasesFormProps {
  formId: string
  stored: BlockedPhrases
  write: ReturnType<typeof useChange>
}

const useChange = (onClose: () => void) => {
  const { t } = useLingui()
  const { comments } = useAdminApi().admin
  return useWrite(
    ({ phrases, version }: BlockedPhrases) =>
      comments.changeBlockedPhrases({ phrases }, { context: { ifMatch: version } }),
    { done: t`Blocked words saved`, changes: [phrasesKey], onClose },
  )
}

function PhrasesForm({ formId, stored, write }: PhrasesFormProps) {
  const { t } = useLingui()
  const { phrases, version } = stored
  return (
    <form
      id={formId}
      className={form.form}
      onSubmit={onSubmit(({ phrases: text = '' }) => write.send({ phrases: linesOf(text), version }))}
    >
      <p>
        <Trans>
          A comment that contains one of them waits here until somebody approves it. Only staff see the words. Comments
          that are already published stay.
        </Trans>
      </p>
      <TextArea
        label={t`Words and phrases`}
        hint={t`One per line. Capital letters make no difference, and parts of longer words do not count.`}
        name="phrases"
        rows={10}
        defaultValue={phrases.join('\n')}
        dir="auto"
        spellCheck={false}
      />
      <WriteRefusal failure={write.failure} queryKey={phrasesKey} onLoaded={write.reset} />
    </form>
  )
}

/** Edits the words that hold a comment. */
export function BlockedPhrasesDialog({ onClose }: { onClose: () => void }) {
  const { comments } = useAdminApi().admin
  const query = useQuery({ queryKey: phrasesKey, queryFn: () => comments.blockedPhrases(), staleTime: 0, gcTime: 0 })
  const write = useChange(onClose)
  return (
    <FormDialog
      title={<Trans>Blocked words</Trans>}
      action={<Trans>Save</Trans>}
      writes={[write]}
      part="blocked phrases"
      isDisabled={query.data === undefined}
      onClose={onClose}
    >
      {(formId) => (
        <Loaded query={query}>
          {(stored) => <PhrasesForm key={stored.version} formId={formId} stored={stored} write={write} />}
        </Loaded>
      )}
    </FormDialog>
  )
}
