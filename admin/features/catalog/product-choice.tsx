import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ProductCode } from '#contract/ids.ts'
import { Button, IconButton } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useSettled } from '~/ui/use-settled'
import { useAdminApi } from '../../platform/admin-api'
import form from '../../ui/form.module.css'
import { Rows } from '../../ui/rows'
import { productsQuery } from './products.queries'

interface ChosenProduct {
  code: ProductCode
  title: string
}

interface ProductChoiceProps {
  chosen: readonly ChosenProduct[]
  onChange: (chosen: ChosenProduct[]) => void
  error: string | undefined
}

/** Chooses products by a search in their titles and codes. */
export function ProductChoice({ chosen, onChange, error }: ProductChoiceProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const q = useSettled(text.trim(), 200)
  const found = useQuery({ ...productsQuery(useAdminApi(), { q }), enabled: q !== '' })
  const isChosen = (code: ProductCode) => chosen.some((each) => each.code === code)
  const errorId = useId()
  return (
    <fieldset className={form.fields} aria-describedby={error ? errorId : undefined}>
      <legend className={form.legend}>
        <Trans>Products</Trans>
      </legend>
      {error && (
        <p id={errorId} role="alert">
          {error}
        </p>
      )}
      <Rows
        items={chosen.map(({ code, title }) => ({
          key: code,
          title: <bdi>{title}</bdi>,
          detail: <span dir="ltr">{code}</span>,
          end: (
            <IconButton
              icon="trash"
              label={t`Remove ${title}`}
              onClick={() => onChange(chosen.filter((each) => each.code !== code))}
            />
          ),
        }))}
      />
      <TextField
        label={t`Add a product`}
        hint={t`Its title or code.`}
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        autoComplete="off"
        error={q !== '' && found.data?.items.length === 0 ? t`Nothing found.` : undefined}
      />
      {q !== '' && found.data && (
        <Rows
          items={found.data.items.slice(0, 8).map(({ code, title }) => ({
            key: code,
            title: <bdi>{title}</bdi>,
            detail: <span dir="ltr">{code}</span>,
            end: isChosen(code) ? (
              <Trans>Added</Trans>
            ) : (
              <Button size="s" aria-label={t`Add ${title}`} onClick={() => onChange([...chosen, { code, title }])}>
                <Trans>Add</Trans>
              </Button>
            ),
          }))}
        />
      )}
    </fieldset>
  )
}
