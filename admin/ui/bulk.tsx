import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { BulkSelectionInput, BulkStartInput } from '#contract/admin/bulk.ts'
import { bulkJobId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../platform/admin-api'
import { useWrite } from '../platform/use-write'

interface SelectAllProps {
  /** The filters of the list that is shown. */
  selection: BulkSelectionInput
  /** Called with the number of objects that fit them. */
  onSelect: (count: number) => void
}

/** Selects everything that fits the filters of a list, on all its pages. */
export function SelectAll({ selection, onSelect }: SelectAllProps) {
  const { admin } = useAdminApi()
  const count = useWrite(admin.bulk.count, { onDone: (answer) => onSelect(answer.count), notifiesFailure: true })
  return (
    <Button size="s" loading={count.isPending} onClick={() => count.send(selection)}>
      <Trans>Select all that fit the filters</Trans>
    </Button>
  )
}

/** All objects of a kind that fit filters, in place of chosen ones. */
export interface BulkTarget<Kind extends BulkSelectionInput['kind']> {
  filters: Extract<BulkSelectionInput, { kind: Kind }>['filters']
  count: number
}

type BulkChange = BulkStartInput extends infer Job ? (Job extends unknown ? Omit<Job, 'id'> : never) : never

/** Begins a job, and shows its page. */
export const useBulkStart = () => {
  const { t } = useLingui()
  const { admin } = useAdminApi()
  const navigate = useNavigate()
  return useWrite(
    // The kinds of a union are kept apart by its type; with the id it is what the API takes.
    (change: BulkChange) =>
      admin.bulk.start({ ...change, id: z.parse(bulkJobId, crypto.randomUUID()) } as BulkStartInput),
    {
      done: t`The change goes on in the background`,
      changes: [['bulk-jobs']],
      onDone: ({ id }) => void navigate({ to: '/bulk-jobs/$id', params: { id } }),
    },
  )
}
