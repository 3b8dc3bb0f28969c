import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreProductBulkResult } from '#contract/admin/product-bulk.ts'
import { productAccess, productStatus } from '#contract/enumerations.ts'
import { categoryId, type ProductCode } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { type BulkTarget, useBulkStart } from '../../ui/bulk'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ResultDialog } from '../../ui/form-dialog'
import { pathText, productAccesses, productStatuses } from '../../ui/product-labels'
import { Rows } from '../../ui/rows'
import { statusChoices } from '../../ui/status'
import { BulkPreview, DiscountFields, useDiscount } from './discount-fields'
import { categoriesQuery } from './products.queries'

const failures = new Map<string, MessageDescriptor>([
  ['NOT_FOUND', msg`There is no such product any more.`],
  ['NOT_READY', msg`There is nothing to watch or download yet.`],
  ['VERSION_CONFLICT', msg`Somebody else changed it at the same time.`],
  ['DISCOUNT_ENDED', msg`The discount has ended already.`],
  ['TOO_MANY_PRICES', msg`It would have more than 20 scheduled prices.`],
  ['TOO_MANY_TAGS', msg`A product has at most 50 tags.`],
])

const tagsIn = (text = '') => text.split(',').flatMap((tag) => tag.trim() || [])

interface FieldsProps {
  discount: ReturnType<typeof useDiscount>
  errors: Texts
}

/** What is changed of the products. */
function Fields({ discount, errors }: FieldsProps) {
  const { t, i18n } = useLingui()
  const categories = useQuery(categoriesQuery(useAdminApi()))
  const noChange = { value: '', label: t`No change` }
  const choices = [
    noChange,
    ...(categories.data?.items ?? []).map((item) => ({ value: item.id, label: pathText(item) })),
  ]
  return (
    <>
      <Select
        label={t`Status`}
        name="status"
        options={[noChange, ...statusChoices(i18n, productStatus.options, productStatuses)]}
      />
      <Select
        label={t`Who may watch`}
        name="access"
        options={[
          noChange,
          ...productAccess.options.map((value) => ({ value, label: i18n._(productAccesses[value]) })),
        ]}
      />
      <DiscountFields typed={discount.typed} change={discount.change} errors={errors} />
      <Select label={t`Add to the category`} name="add" options={choices} />
      <Select label={t`Remove from the category`} name="remove" options={choices} />
      <TextField label={t`Add tags`} hint={t`Separated by commas.`} name="addTags" error={errors.addTags} />
      <TextField label={t`Remove tags`} hint={t`Separated by commas.`} name="removeTags" error={errors.removeTags} />
    </>
  )
}

interface BulkDialogProps {
  codes: readonly ProductCode[]
  /** All that fit filters, in place of `codes`. */
  all?: BulkTarget<'PRODUCTS'> | undefined
  /** `isDone`: something was changed, so that the selection is over. */
  onClose: (isDone?: boolean) => void
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

/** Changes the status, access, discount, categories and tags of the chosen products. */
export function BulkDialog({ codes, all, onClose }: BulkDialogProps) {
  const api = useAdminApi()
  const discount = useDiscount()
  const change = useWrite(api.admin.products.changeMany, { changes: [['products']] })
  const start = useBulkStart()
  const [isEmpty, setEmpty] = useState(false)
  const number = all?.count ?? codes.length
  const { answer } = change
  const failure = change.failure ?? start.failure
  const isPending = change.isPending || start.isPending
  const errors = Object.fromEntries(
    Object.entries(failure?.fields ?? {}).map(([field, text]) => [field.replace(/^change\./, ''), text]),
  )
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
      <ResultDialog
        title={title}
        onClose={() => onClose(true)}
        undo={items.length > 0 ? undo : undefined}
        changes={[['products']]}
      >
        <Results items={answer.items} />
      </ResultDialog>
    )
  }
  return (
    <FormDialog title={title} action={<Trans>Change</Trans>} writes={[change, start]} onClose={() => onClose()}>
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onChange={() => setEmpty(false)}
          onSubmit={onSubmit(({ status, access, add, remove, addTags, removeTags }) => {
            const fields = {
              status: productStatus.safeParse(status).data,
              access: productAccess.safeParse(access).data,
              discount: discount.discount,
              addCategoryIds: idsIn(add),
              removeCategoryIds: idsIn(remove),
              ...(addTags && { addTags: tagsIn(addTags) }),
              ...(removeTags && { removeTags: tagsIn(removeTags) }),
            }
            const isNothing = Object.values(fields).every((value) => value === undefined || [value].flat().length === 0)
            setEmpty(isNothing)
            if (isNothing) return
            if (all) start.send({ kind: 'PRODUCTS', filters: all.filters, change: fields })
            else change.send({ codes: [...codes], ...fields })
          })}
        >
          <Refusal failure={failure} />
          <fieldset className={form.fields} disabled={isPending}>
            <Fields discount={discount} errors={errors} />
          </fieldset>
          {isEmpty && (
            <Notice tone="danger" urgent>
              <Trans>Choose at least one change.</Trans>
            </Notice>
          )}
          <BulkPreview {...(all ? { filters: all.filters } : { codes: [...codes] })} discount={discount.discount} />
        </form>
      )}
    </FormDialog>
  )
}
