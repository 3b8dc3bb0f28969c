import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { productKind } from '#contract/enumerations.ts'
import { productCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormGuard } from '../../ui/form-guard'
import { Page, Section } from '../../ui/page'
import { codeFrom, kindChoices, productKinds } from '../../ui/product-labels'
import { TextField } from '../../ui/text-field'

/** Creates a draft and opens its page. */
export function NewProduct() {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [code, setCode] = useState<string>()
  const create = useWrite(api.admin.products.create, {
    done: t`Draft created`,
    changes: [['products']],
    onDone: (product) => void navigate({ to: '/products/$code', params: { code: product.code } }),
  })
  const codeValue = code ?? codeFrom(title)
  const { data: valid } = productCode.safeParse(codeValue)
  return (
    <Page title={t`New product`}>
      <Section title={<Trans>Begin a draft</Trans>}>
        <p>
          <Trans>Visitors see nothing of it until it is on sale and has a video or a file.</Trans>
        </p>
        <form
          className={form.form}
          onSubmit={onSubmit(({ kind = '' }) => {
            const { data } = productKind.safeParse(kind)
            if (valid && data) create.send({ title, code: valid, kind: data })
          })}
        >
          <FormGuard write={create} part="product" />
          <Refusal failure={create.failure} />
          <TextField
            label={t`Title`}
            name="title"
            value={title}
            onChange={({ target }) => setTitle(target.value)}
            maxLength={300}
            required
            error={create.failure?.fields.title}
          />
          <TextField
            label={t`Code`}
            hint={t`Part of its address: letters A to Z, digits and hyphens. It cannot be changed later.`}
            name="code"
            value={codeValue}
            onChange={({ target }) => setCode(target.value)}
            pattern="[A-Za-z0-9][A-Za-z0-9\-]{0,63}"
            maxLength={64}
            required
            dir="ltr"
            error={create.failure?.fields.code}
          />
          <Select
            label={t`Kind`}
            name="kind"
            defaultValue="VOD"
            options={kindChoices.map((value) => ({ value, label: i18n._(productKinds[value]) }))}
          />
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={create.isPending}>
              <Trans>Create draft</Trans>
            </Button>
            <Button variant="ghost" render={<Link to="/products" />}>
              <Trans>Back</Trans>
            </Button>
          </div>
        </form>
      </Section>
    </Page>
  )
}
