import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreProduct } from '#contract/admin/products.ts'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { TextArea, TextField } from '../../ui/text-field'

/** What the form sends of these fields. */
export const presentationIn = ({ sort = '', posterAlt = '', seoTitle = '', seoDescription = '' }: Texts) => ({
  sort: Number(sort) || 0,
  posterAlt: posterAlt.trim(),
  seoTitle: seoTitle.trim() || null,
  seoDescription: seoDescription.trim() || null,
})

interface PresentationFieldsProps {
  product: StoreProduct
  errors: Texts
}

/** How lists, search engines and screen readers present a product. */
export function PresentationFields({ product, errors }: PresentationFieldsProps) {
  const { t } = useLingui()
  return (
    <fieldset className={form.fields}>
      <legend className={form.legend}>
        <Trans>Lists and search engines</Trans>
      </legend>
      <TextField
        label={t`Rank`}
        hint={t`Recommended products begin with the highest number. The latest of equal ones is first.`}
        name="sort"
        type="number"
        defaultValue={product.sort}
        error={errors.sort}
      />
      <TextField
        label={t`What the poster shows`}
        hint={t`For people who do not see it. The title if empty.`}
        name="posterAlt"
        defaultValue={product.posterAlt}
        maxLength={300}
        error={errors.posterAlt}
      />
      <TextField
        label={t`Title for search engines`}
        hint={t`The title of the product if empty.`}
        name="seoTitle"
        defaultValue={product.seoTitle ?? ''}
        maxLength={300}
        error={errors.seoTitle}
      />
      <TextArea
        label={t`Text for search engines`}
        hint={t`The summary if empty.`}
        name="seoDescription"
        rows={2}
        defaultValue={product.seoDescription ?? ''}
        maxLength={1000}
        error={errors.seoDescription}
      />
    </fieldset>
  )
}
