import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SaleState } from '#contract/enumerations.ts'
import type { ProductCode } from '#contract/ids.ts'
import { Button, IconButton } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useSettled } from '../../platform/use-settled'
import { moved, useReorder } from '../../ui/drag-item'
import { DraggedRows } from '../../ui/dragged-rows'
import form from '../../ui/form.module.css'
import { MoveButtons } from '../../ui/move-buttons'
import { saleStates } from '../../ui/product-labels'
import { Rows } from '../../ui/rows'
import { StatusBadge } from '../../ui/status'
import { productsQuery } from './products.queries'

export interface ChosenProduct {
  code: ProductCode
  title: string
  /** Shown where visitors cannot see the product. */
  state?: SaleState
}

interface ProductChoiceProps {
  legend: string
  chosen: readonly ChosenProduct[]
  /** Whether visitors see them in this order. */
  isOrdered?: boolean
  max?: number
  onChange: (chosen: ChosenProduct[]) => void
  error: string | undefined
  /** Whether the form around it needs one. */
  isRequired?: boolean
}

/** Chooses products by a search in their titles and codes. */
export function ProductChoice(props: ProductChoiceProps) {
  const { legend, chosen, isOrdered = false, max = Number.POSITIVE_INFINITY, onChange, error, isRequired } = props
  const { t } = useLingui()
  const drag = useReorder(chosen, onChange, isOrdered && chosen.length > 1)
  const stepTo = (at: number, to: number) =>
    to < 0 || to >= chosen.length ? undefined : () => onChange(moved(chosen, at, to, to < at ? 'BEFORE' : 'AFTER'))
  const errorId = useId()
  return (
    <fieldset className={form.fields} aria-describedby={error ? errorId : undefined}>
      <legend className={form.legend}>{legend}</legend>
      {error && (
        <p id={errorId} role="alert">
          {error}
        </p>
      )}
      <DraggedRows
        drag={drag}
        items={chosen.map(({ code, title, state = 'ON_SALE' }, at) => ({
          key: code,
          title: <bdi>{title}</bdi>,
          detail: (
            <>
              <span dir="ltr">{code}</span> {state !== 'ON_SALE' && <StatusBadge status={saleStates[state]} />}
            </>
          ),
          end: (
            <>
              {isOrdered && <MoveButtons name={title} onUp={stepTo(at, at - 1)} onDown={stepTo(at, at + 1)} />}
              <IconButton
                icon="trash"
                label={t`Remove ${title}`}
                onClick={() => onChange(chosen.filter((each) => each.code !== code))}
              />
            </>
          ),
        }))}
      />
      {chosen.length < max && (
        <ProductSearch
          chosen={chosen}
          isSingle={max === 1}
          isRequired={isRequired && chosen.length === 0}
          onAdd={(product) => onChange([...chosen, product])}
        />
      )}
    </fieldset>
  )
}

interface ProductSearchProps {
  chosen: readonly ChosenProduct[]
  /** Whether one product is chosen, and not several. */
  isSingle?: boolean
  isRequired?: boolean | undefined
  onAdd: (product: ChosenProduct) => void
}

/** Finds products by their titles and codes. */
export function ProductSearch({ chosen, isSingle = false, isRequired = false, onAdd }: ProductSearchProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const q = useSettled(text.trim(), 200)
  const found = useQuery({ ...productsQuery(useAdminApi(), { q }), enabled: q !== '' })
  const isChosen = (code: ProductCode) => chosen.some((each) => each.code === code)
  return (
    <>
      <TextField
        label={isSingle ? t`Find a product` : t`Add a product`}
        hint={t`Its title or code.`}
        type="search"
        value={text}
        ref={(input) => input?.setCustomValidity(isRequired ? t`Find a product, and choose it.` : '')}
        onChange={({ target }) => setText(target.value)}
        // Enter would save the form around it.
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && event.preventDefault()}
        autoComplete="off"
        error={q !== '' && found.data?.items.length === 0 ? t`Nothing found.` : undefined}
      />
      {q !== '' && found.data && (
        <Rows
          items={found.data.items.slice(0, 8).map(({ code, title, state }) => ({
            key: code,
            title: <bdi>{title}</bdi>,
            detail: <span dir="ltr">{code}</span>,
            end: isChosen(code) ? (
              <Trans>Added</Trans>
            ) : (
              <Button
                size="s"
                aria-label={isSingle ? t`Choose ${title}` : t`Add ${title}`}
                onClick={() => onAdd({ code, title, state })}
              >
                {isSingle ? <Trans>Choose</Trans> : <Trans>Add</Trans>}
              </Button>
            ),
          }))}
        />
      )}
    </>
  )
}
