import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import { productCode } from '#contract/ids.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { CodeField, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { TextField } from '../../ui/text-field'

/** Copies a product to a new draft, and opens its page. */
export function DuplicateDialog({ product, onClose }: { product: StoreProduct; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const { code } = product
  const [title, setTitle] = useState(product.title)
  const [newCode, setNewCode] = useState(`${code}-2`.slice(-64))
  const duplicate = useWrite(api.admin.products.duplicate, {
    done: t`Draft created`,
    changes: [['products']],
    onDone: (copy) => {
      onClose()
      void navigate({ to: '/products/$code', params: { code: copy.code } })
    },
  })
  const fields = duplicate.failure?.fields
  return (
    <FormDialog
      title={<Trans>Duplicate product</Trans>}
      action={<Trans>Duplicate</Trans>}
      writes={[duplicate]}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={(event) => {
            event.preventDefault()
            const { data } = productCode.safeParse(newCode)
            if (data) duplicate.send({ code, newCode: data, title })
          }}
        >
          <p>
            <Trans>
              The draft gets the texts, pictures, categories, prices, lessons and files, and shows the same videos of
              the library. The sale period and videos that are still being encoded stay with the original.
            </Trans>
          </p>
          <Refusal failure={duplicate.failure} />
          <TextField
            label={t`Title`}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
            maxLength={300}
            required
            error={fields?.title}
          />
          <CodeField
            label={t`Code`}
            hint={t`Part of its address: letters A to Z, digits and hyphens. It cannot be changed later.`}
            value={newCode}
            onChange={({ target }) => setNewCode(target.value)}
            required
            error={fields?.newCode}
          />
        </form>
      )}
    </FormDialog>
  )
}
