import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreProductsDeleted } from '#contract/admin/product-bulk.ts'
import type { ProductCode } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { WordField } from '../../ui/confirm'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ResultDialog } from '../../ui/form-dialog'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { productsByCodeQuery } from './products.queries'

/** What became of each product, those that were not deleted with the reason. */
function Results({ items }: StoreProductsDeleted) {
  const failed = items.filter(({ result }) => result === 'FAILED')
  const deleted = items.length - failed.length
  return (
    <div className={form.fields}>
      <Notice tone={failed.length > 0 ? 'warning' : 'success'}>
        <Plural value={deleted} one="# product was deleted." other="# products were deleted." />{' '}
        {failed.length > 0 && <Plural value={failed.length} one="# could not be:" other="# could not be:" />}
      </Notice>
      {failed.length > 0 && (
        <Rows
          items={failed.map(({ code, message }) => ({ key: code, title: <bdi>{code}</bdi>, detail: message ?? '' }))}
        />
      )}
    </div>
  )
}

const changes = [['products']]

/** Deletes the chosen products for good, once it is confirmed. */
export function DeleteDialog({
  codes,
  onClose,
}: {
  codes: readonly ProductCode[]
  onClose: (isDone?: boolean) => void
}) {
  const { t } = useLingui()
  const api = useAdminApi()
  const products = useQuery(productsByCodeQuery(api, codes))
  const remove = useWrite(api.admin.products.deleteMany, { changes })
  const { answer, failure } = remove
  const [typed, setTyped] = useState('')
  const word = t`delete`
  const isTyped = typed.trim() === word
  const title = <Plural value={codes.length} one="Delete # product" other="Delete # products" />
  if (answer)
    return (
      <ResultDialog title={title} onClose={() => onClose(true)} changes={changes}>
        <Results items={answer.items} />
      </ResultDialog>
    )
  return (
    <FormDialog
      title={title}
      action={<Trans>Delete</Trans>}
      variant="danger"
      writes={[remove]}
      isDisabled={!products.data || !isTyped}
      onClose={() => onClose()}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.fields}
          onSubmit={onSubmit(() => isTyped && remove.send({ codes: [...codes] }))}
        >
          <Refusal failure={failure} />
          <p>
            <Trans>
              Deleted for good, with prices, lessons and files. Only drafts that were never sold are deleted.
            </Trans>
          </p>
          <Loaded query={products}>
            {({ items }) => (
              <Rows
                items={items.map(({ code, title: name }) => ({ key: code, title: <bdi>{name}</bdi>, detail: code }))}
              />
            )}
          </Loaded>
          <WordField word={word} typed={typed} onType={setTyped} />
        </form>
      )}
    </FormDialog>
  )
}
