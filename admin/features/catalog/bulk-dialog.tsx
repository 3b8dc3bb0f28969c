import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { StoreProductBulkResult } from '#contract/admin/product-bulk.ts'
import { productStatus } from '#contract/enumerations.ts'
import { categoryId, type ProductCode } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { type BulkTarget, useBulkStart } from '../../ui/bulk'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ResultDialog } from '../../ui/form-dialog'
import { productStatuses } from '../../ui/product-labels'
import { Rows } from '../../ui/rows'
import { statusChoices } from '../../ui/status'
import { pathText } from './category-forms'
import { categoriesQuery } from './products.queries'

const failures = new Map<string, MessageDescriptor>([
  ['NOT_FOUND', msg`There is no such product any more.`],
  ['NOT_READY', msg`There is nothing to watch or download yet.`],
  ['VERSION_CONFLICT', msg`Somebody else changed it at the same time.`],
])

interface BulkDialogProps {
  codes: readonly ProductCode[]
  /** All that fit filters, in place of `codes`. */
  all?: BulkTarget<'PRODUCTS'> | undefined
  onClose: () => void
}

/** What became of each product, the failed ones with the reason. */
function Results({ items }: StoreProductBulkResult) {
  const { i18n } = useLingui()
  const failed = items.filter(({ result }) => result === 'FAILED')
  const changed = items.filter(({ result }) => result === 'CHANGED').length
  const unchanged = items.length - failed.length - changed
  return (
    <div className={form.fields}>
      <Notice tone={failed.length > 0 ? 'warning' : 'success'}>
        <Plural value={changed} one="# product was changed." other="# products were changed." />{' '}
        {unchanged > 0 && <Plural value={unchanged} one="# was so already." other="# were so already." />}{' '}
        {failed.length > 0 && <Plural value={failed.length} one="# could not be:" other="# could not be:" />}
      </Notice>
      {failed.length > 0 && (
        <Rows
          items={failed.map(({ code, reason }) => ({
            key: code,
            title: <bdi>{code}</bdi>,
            detail: i18n._(failures.get(reason ?? '') ?? msg`The change does not fit this product.`),
          }))}
        />
      )}
    </div>
  )
}

/** Changes the status or a category of the chosen products. */
export function BulkDialog({ codes, all, onClose }: BulkDialogProps) {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const categories = useQuery(categoriesQuery(api))
  const change = useWrite(api.admin.products.changeMany, { changes: [['products']] })
  const start = useBulkStart()
  const number = all?.count ?? codes.length
  const { answer } = change
  const failure = change.failure ?? start.failure
  const choices = [
    { value: '', label: t`No change` },
    ...(categories.data?.items ?? []).map((item) => ({ value: item.id, label: pathText(item) })),
  ]
  const idsIn = (text: string | undefined) => {
    const { data } = categoryId.safeParse(text)
    return data ? [data] : []
  }
  const title = <Plural value={number} one="Change # product" other="Change # products" />
  if (answer) {
    const items = answer.items.flatMap(({ before }) => before ?? [])
    const undo = async () => {
      const restored = await api.admin.products.restoreMany({ items })
      return restored.items.filter(({ result }) => result === 'FAILED').length
    }
    return (
      <ResultDialog title={title} onClose={onClose} undo={items.length > 0 ? undo : undefined} changes={[['products']]}>
        <Results items={answer.items} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog
      title={title}
      action={<Trans>Change</Trans>}
      isPending={change.isPending || start.isPending}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ status, add, remove }) => {
            const fields = {
              status: productStatus.safeParse(status).data,
              addCategoryIds: idsIn(add),
              removeCategoryIds: idsIn(remove),
            }
            if (all) start.send({ kind: 'PRODUCTS', filters: all.filters, change: fields })
            else change.send({ codes: [...codes], ...fields })
          })}
        >
          <Refusal failure={failure} />
          <Select
            label={t`Status`}
            name="status"
            options={[
              { value: '', label: t`No change` },
              ...statusChoices(i18n, productStatus.options, productStatuses),
            ]}
          />
          <Select label={t`Add to the category`} name="add" options={choices} />
          <Select label={t`Remove from the category`} name="remove" options={choices} />
        </form>
      )}
    </FormDialog>
  )
}
