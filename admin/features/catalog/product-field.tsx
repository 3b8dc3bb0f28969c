import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { productCode } from '#contract/ids.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { CodeField } from '../../ui/form'
import form from '../../ui/form.module.css'
import { typeInto } from '../../ui/form-texts'
import { ProductChoice } from './product-choice'
import { productsByCodeQuery } from './products.queries'

interface ProductFieldProps {
  /** The name of the field, whose text is the code. */
  name: string
  defaultValue?: string
  error: string | undefined
}

/** The product that a form is about, found by its title or code. */
function ChosenProductField({ name, defaultValue = '', error }: ProductFieldProps) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(defaultValue)
  const code = productCode.safeParse(text).data
  const found = useQuery(productsByCodeQuery(useAdminApi(), code ? [code] : [])).data?.items[0]
  const choose = (chosen: string) => {
    if (field.current) typeInto(field.current, chosen)
    // The control that had the focus was removed.
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('button, [type=search]')?.focus())
  }
  return (
    <div ref={place} className={form.fields}>
      {/* A draft types its text here, as the choice does. */}
      <input
        ref={field}
        type="hidden"
        name={name}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ProductChoice
        legend={t`Product`}
        chosen={code ? [{ code, title: found?.title ?? code, ...(found && { state: found.state }) }] : []}
        max={1}
        isRequired
        onChange={([chosen]) => choose(chosen?.code ?? '')}
        error={error}
      />
    </div>
  )
}

/** A product of a form. Who may not read products types its code. */
export function ProductField(props: ProductFieldProps) {
  const { t } = useLingui()
  return useMay()('products:read') ? (
    <ChosenProductField {...props} />
  ) : (
    <CodeField
      {...props}
      label={t`Product code`}
      hint={t`The last part of the address of its page.`}
      autoComplete="off"
      required
    />
  )
}
