import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { PartnershipResult } from '#contract/admin/members.ts'
import type { MemberId } from '#contract/ids.ts'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import type { Failure } from '../../platform/failure'
import { useWrite } from '../../platform/use-write'
import { type BulkTarget, useBulkStart } from '../../ui/bulk'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField, ResultDialog } from '../../ui/form-dialog'
import { TextField } from '../../ui/text-field'

/** What a form of a partnership says: its last day, or that it ends now. */
export const partnershipIn = ({ until, name = '', reason = '', ends }: Texts) => ({
  until: ends === undefined && until ? until : null,
  name: name.trim() || null,
  reason,
})

interface PartnershipFieldsProps {
  failure: Failure | undefined
  current: { lastDay: string; name: string | null } | null
  /** Whether there may be one that ends. */
  mayEnd: boolean
  /** Whether neither a last day nor the end was chosen. */
  isEmpty?: boolean
}

/** The last day and the name of a partnership, and whether it ends now. */
export function PartnershipFields({ failure, current, mayEnd, isEmpty = false }: PartnershipFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        label={t`Last day`}
        name="until"
        type="date"
        defaultValue={current?.lastDay ?? ''}
        required={!mayEnd || current !== null}
        error={isEmpty ? t`Enter the last day, or choose “End it now”.` : failure?.fields.until}
      />
      <TextField
        label={t`Name`}
        hint={t`The member reads it, for example the name of the company.`}
        name="name"
        maxLength={100}
        defaultValue={current?.name ?? ''}
        error={failure?.fields.name}
      />
      {mayEnd && <Checkbox name="ends" label={t`End it now`} />}
    </>
  )
}

function Results({ items }: PartnershipResult) {
  const changed = items.filter(({ result }) => result === 'CHANGED').length
  const unchanged = items.filter(({ result }) => result === 'UNCHANGED').length
  const failed = items.length - changed - unchanged
  return (
    <Notice tone={failed > 0 ? 'warning' : 'success'}>
      <Plural value={changed} one="# member was changed." other="# members were changed." />{' '}
      {unchanged > 0 && <Plural value={unchanged} one="# was so already." other="# were so already." />}{' '}
      {failed > 0 && <Plural value={failed} one="# account no longer exists." other="# accounts no longer exist." />}
    </Notice>
  )
}

const changes = [['member'], ['members'], ['member-facets']]

interface PartnershipsDialogProps {
  ids: readonly MemberId[]
  /** All that fit filters, in place of `ids`. */
  all?: BulkTarget<'PARTNERSHIPS'> | undefined
  /** `isDone`: something was changed, so that the selection is over. */
  onClose: (isDone?: boolean) => void
}

/** Gives the chosen members a partnership, or ends theirs. */
export function PartnershipsDialog({ ids, all, onClose }: PartnershipsDialogProps) {
  const { members } = useAdminApi().admin
  const write = useWrite(members.changePartnerships, { changes })
  const start = useBulkStart()
  const [isEmpty, setEmpty] = useState(false)
  const number = all?.count ?? ids.length
  const title = <Plural value={number} one="Partnership of # member" other="Partnership of # members" />
  const { answer } = write
  const failure = write.failure ?? start.failure
  if (answer) {
    const items = answer.items.flatMap(({ change }) => change ?? [])
    const undo = async () => {
      const restored = await members.restorePartnerships({ items })
      return restored.items.filter(({ result }) => result === 'FAILED').length
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
    <FormDialog title={title} action={<Trans>Save</Trans>} writes={[write, start]} onClose={() => onClose()}>
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onChange={() => setEmpty(false)}
          onSubmit={onSubmit((texts) => {
            const isNothing = !texts.until && texts.ends === undefined
            setEmpty(isNothing)
            if (isNothing) return
            if (all) start.send({ kind: 'PARTNERSHIPS', filters: all.filters, change: partnershipIn(texts) })
            else write.send({ ids: [...ids], ...partnershipIn(texts) })
          })}
        >
          <Refusal failure={failure} />
          <p>
            <Trans>The members watch everything that plans open, without paying, until the last day.</Trans>
          </p>
          <PartnershipFields failure={failure} current={null} mayEnd isEmpty={isEmpty} />
          <ReasonField failure={failure} />
        </form>
      )}
    </FormDialog>
  )
}
