import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Discount, StoreProductBulkPreviewInput } from '#contract/admin/product-bulk.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSettings } from '../../platform/settings'
import { useSettled } from '../../platform/use-settled'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { isoTimeOf } from '../../ui/period-fields'
import styles from './products.module.css'
import { bulkPreviewQuery } from './products.queries'

interface TypedDiscount {
  kind: '' | 'GIVE' | 'REMOVE'
  percent: string
  from: string
  until: string
}

/** What is typed of a discount, and what it means: undefined for no change, null for none. */
export const useDiscount = () => {
  const [typed, setTyped] = useState<TypedDiscount>({ kind: '', percent: '', from: '', until: '' })
  const { timeZone } = useSettings().base
  const iso = (local: string) => (local ? isoTimeOf(local, timeZone) : null)
  const percent = Number(typed.percent)
  const isWhole = Number.isInteger(percent) && percent >= 1 && percent <= 99
  const given = isWhole ? { percent, from: iso(typed.from), until: iso(typed.until) } : undefined
  const discount: Discount | null | undefined =
    typed.kind === 'REMOVE' ? null : typed.kind === 'GIVE' ? given : undefined
  return { typed, change: (part: Partial<TypedDiscount>) => setTyped({ ...typed, ...part }), discount }
}

interface DiscountFieldsProps extends Pick<ReturnType<typeof useDiscount>, 'typed' | 'change'> {
  errors: Texts
}

/** A discount in percent with its period, in the store's time zone. */
export function DiscountFields({ typed, change, errors }: DiscountFieldsProps) {
  const { t } = useLingui()
  const { timeZone } = useSettings().base
  return (
    <>
      <Select
        label={t`Discount`}
        value={typed.kind}
        options={[
          { value: '', label: t`No change` },
          { value: 'GIVE', label: t`Discount in percent` },
          { value: 'REMOVE', label: t`Take discounts away` },
        ]}
        onChange={({ target }) =>
          change({ kind: target.value === 'GIVE' || target.value === 'REMOVE' ? target.value : '' })
        }
      />
      {typed.kind === 'GIVE' && (
        <>
          <TextField
            type="number"
            label={t`Percent`}
            hint={t`It replaces present and scheduled discounts.`}
            min={1}
            max={99}
            step={1}
            value={typed.percent}
            onChange={({ target }) => change({ percent: target.value })}
            required
            error={errors['discount.percent']}
          />
          <div className={form.period}>
            <TextField
              type="datetime-local"
              label={t`From`}
              hint={t`At once if empty.`}
              value={typed.from}
              onChange={({ target }) => change({ from: target.value })}
              error={errors['discount.from']}
            />
            <TextField
              type="datetime-local"
              label={t`Until`}
              hint={t`Without end if empty.`}
              value={typed.until}
              onChange={({ target }) => change({ until: target.value })}
              error={errors['discount.until']}
            />
          </div>
          <p className={styles.when}>
            <Trans>Times are in {timeZone}. A price is changed within a minute of its time.</Trans>
          </p>
        </>
      )}
    </>
  )
}

/** Milliseconds after the last key until prices are calculated. */
const pause = 300

/**
 * How many products are changed, and the lowest and the highest price that results. What was
 * calculated of something else than what is typed now is not shown.
 */
export function BulkPreview(query: StoreProductBulkPreviewInput) {
  const { money } = useFormat()
  // Compared by value: the products and the discount are new objects with each rendering.
  const wanted = JSON.stringify(query)
  const settled = useSettled(wanted, pause)
  const { data } = useQuery(bulkPreviewQuery(useAdminApi(), JSON.parse(settled)))
  if (!data || settled !== wanted) return null
  const { products, priced, lowest, highest } = data
  return (
    <Notice tone="info">
      <Plural value={products} one="# product is chosen." other="# products are chosen." />{' '}
      {priced !== null && <Plural value={priced} one="# has a price on sale." other="# have a price on sale." />}{' '}
      {lowest && highest && (
        <Trans>
          Prices will be from {money(lowest)} to {money(highest)}.
        </Trans>
      )}
    </Notice>
  )
}
