import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { InquiryAssignmentResult, InquiryFacets } from '#contract/admin/inquiries.ts'
import type { InquiryCode } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useMe } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { type BulkTarget, useBulkStart } from '../../ui/bulk'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ResultDialog } from '../../ui/form-dialog'
import { Loaded } from '../../ui/states'
import { inquiryFacetsQuery } from './support.queries'

const nobody = ''

/** The people who answer inquiries as choices of a select: the signed-in person first. */
export const useAssigneeOptions = () => {
  const { t } = useLingui()
  const { id } = useMe()
  return (assignees: InquiryFacets['assignees']) => [
    { value: nobody, label: t`Nobody` },
    ...assignees
      .toSorted((one, other) => Number(other.id === id) - Number(one.id === id))
      .map((person) => ({ value: person.id, label: person.id === id ? t`${person.name} (me)` : person.name })),
  ]
}

/** The person that a select of `useAssigneeOptions` has chosen; null for nobody. */
export const assigneeIn = (assignees: InquiryFacets['assignees'], value: string | undefined) =>
  assignees.find(({ id }) => id === value)?.id ?? null

function Results({ items }: InquiryAssignmentResult) {
  const changed = items.filter(({ result }) => result === 'CHANGED').length
  const unchanged = items.filter(({ result }) => result === 'UNCHANGED').length
  const missing = items.filter(({ result }) => result === 'NOT_FOUND')
  return (
    <Notice tone={missing.length > 0 ? 'warning' : 'success'}>
      <Plural value={changed} one="# inquiry was assigned." other="# inquiries were assigned." />{' '}
      {unchanged > 0 && <Plural value={unchanged} one="# was so already." other="# were so already." />}
      {missing.length > 0 && (
        <p>
          <Trans>These no longer exist: {missing.map(({ code }) => code).join(', ')}</Trans>
        </p>
      )}
    </Notice>
  )
}

const changes = [['inquiry'], ['inquiries']]

interface AssignDialogProps {
  codes: readonly InquiryCode[]
  /** All that fit filters, in place of `codes`. */
  all?: BulkTarget<'INQUIRIES'> | undefined
  /** `isDone`: something was changed, so that the selection is over. */
  onClose: (isDone?: boolean) => void
}

/** Assigns inquiries to a person of the staff, or to nobody. */
export function AssignDialog({ codes, all, onClose }: AssignDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { id } = useMe()
  const options = useAssigneeOptions()
  const facets = useQuery(inquiryFacetsQuery(api))
  const assign = useWrite(api.admin.inquiries.assignMany, { changes })
  const start = useBulkStart()
  const number = all?.count ?? codes.length
  const title = <Plural value={number} one="Assign # inquiry" other="Assign # inquiries" />
  const { answer, sent } = assign
  const failure = assign.failure ?? start.failure
  if (answer) {
    const changed = answer.items.filter(({ result }) => result === 'CHANGED')
    const undo = async () => {
      const answers = await Promise.all(
        [...Map.groupBy(changed, ({ formerId }) => formerId)].map(([assigneeId, items]) =>
          api.admin.inquiries.assignMany({
            codes: items.map(({ code }) => code),
            assigneeId,
            onlyFrom: sent?.assigneeId,
          }),
        ),
      )
      const isLeft = ({ result }: InquiryAssignmentResult['items'][number]) =>
        result === 'NOT_FOUND' || result === 'VERSION_CONFLICT'
      return answers.flatMap(({ items }) => items.filter(isLeft)).length
    }
    return (
      <ResultDialog
        title={title}
        onClose={() => onClose(true)}
        undo={changed.length > 0 ? undo : undefined}
        changes={changes}
      >
        <Results items={answer.items} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog title={title} action={<Trans>Assign</Trans>} writes={[assign, start]} onClose={() => onClose()}>
      {(formId) => (
        <Loaded query={facets}>
          {({ assignees }) => (
            <form
              id={formId}
              className={form.form}
              onSubmit={onSubmit(({ assignee }) => {
                const change = { assigneeId: assigneeIn(assignees, assignee) }
                if (all) start.send({ kind: 'INQUIRIES', filters: all.filters, change })
                else assign.send({ codes: [...codes], ...change })
              })}
            >
              <Refusal failure={failure} />
              <Select
                label={t`Assigned to`}
                name="assignee"
                defaultValue={id}
                options={options(assignees)}
                error={failure?.fields.assigneeId}
              />
            </form>
          )}
        </Loaded>
      )}
    </FormDialog>
  )
}
