import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { StoreProduct } from '#contract/admin/products.ts'
import { productAccess, productKind } from '#contract/enumerations.ts'
import { categoryId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { ContentForm } from '../../ui/content-form'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { heldState } from '../../ui/form-draft'
import { type FormKey, useFormKey } from '../../ui/form-key'
import { HtmlField } from '../../ui/html-field'
import { htmlOf } from '../../ui/html-text'
import { kindChoices, pathText, productAccesses, productKinds } from '../../ui/product-labels'
import { Loaded } from '../../ui/states'
import { TextArea, TextField } from '../../ui/text-field'
import { PresentationFields, presentationIn } from './presentation-fields'
import styles from './products.module.css'
import { categoriesQuery } from './products.queries'

interface CategoryChoiceProps {
  chosen: StoreProduct['categoryIds']
  onChange: (chosen: StoreProduct['categoryIds']) => void
  error?: string | undefined
}

/** Chooses categories of the store. */
export function CategoryChoice({ chosen, onChange, error }: CategoryChoiceProps) {
  const categories = useQuery(categoriesQuery(useAdminApi()))
  return (
    <fieldset>
      <legend className={form.legend}>
        <Trans>Categories</Trans>
      </legend>
      {error && <p role="alert">{error}</p>}
      <Loaded query={categories}>
        {({ items }) =>
          items.length === 0 ? (
            <p>
              <Trans>The store has no categories.</Trans>{' '}
              <Button size="s" render={<Link to="/categories" />}>
                <Trans>Create categories</Trans>
              </Button>
            </p>
          ) : (
            <div className={styles.categories}>
              {items.map((category) => (
                <Checkbox
                  key={category.id}
                  label={<bdi>{pathText(category)}</bdi>}
                  checked={chosen.includes(category.id)}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...chosen, category.id] : chosen.filter((each) => each !== category.id))
                  }
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </fieldset>
  )
}

/** The tags that a field names, separated by commas. */
export const tagsIn = (typed: string) => typed.split(',').flatMap((tag) => tag.trim() || [])

/** Texts, audience and categories of a product. What is typed stays while other parts change. */
export function ProductForm({ product }: { product: StoreProduct }) {
  const { title, summary, description, kind, access, categoryIds, tags, ageRating } = product
  const { sort, posterAlt, seoTitle, seoDescription } = product
  const details = { title, summary, description, kind, access, categoryIds, tags, ageRating }
  const { key, recordSent } = useFormKey({ ...details, sort, posterAlt, seoTitle, seoDescription })
  return <DetailsForm key={key} product={product} recordSent={recordSent} />
}

function DetailsForm({ product, recordSent }: { product: StoreProduct; recordSent: FormKey['recordSent'] }) {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('products:write')
  const { code, version } = product
  const [categoryIds, setCategoryIds] = useState(product.categoryIds)
  const send = (texts: Texts) => {
    const { title = '', summary = '', description = '', ageRating = '', tags = '' } = texts
    return api.admin.products.change(
      {
        code,
        ...recordSent({
          title,
          summary,
          description: htmlOf(description),
          categoryIds,
          ageRating: ageRating || 'ALL',
          tags: tagsIn(tags),
          kind: productKind.safeParse(texts.kind).data,
          access: productAccess.safeParse(texts.access).data,
          ...presentationIn(texts),
        }),
      },
      { context: { ifMatch: version } },
    )
  }
  return (
    <ContentForm
      permission="products:write"
      title={<Trans>Details</Trans>}
      send={send}
      done={t`Product saved`}
      queryKey={['product', code]}
      changes={[['products']]}
      part="details"
      held={heldState(categoryIds, z.array(categoryId), setCategoryIds)}
    >
      {(errors) => (
        <>
          <TextField
            label={t`Title`}
            name="title"
            defaultValue={product.title}
            maxLength={300}
            required
            error={errors.title}
          />
          <TextArea
            label={t`Summary`}
            hint={t`One or two sentences for cards and search engines.`}
            name="summary"
            rows={2}
            defaultValue={product.summary}
            maxLength={2000}
            error={errors.summary}
          />
          <HtmlField
            label={t`Description`}
            name="description"
            defaultValue={product.description}
            maxLength={200_000}
            disabled={!isAllowed}
            error={errors.description}
          />
          <Select
            label={t`Kind`}
            name="kind"
            defaultValue={product.kind}
            options={kindChoices.map((value) => ({ value, label: i18n._(productKinds[value]) }))}
          />
          <Select
            label={t`Who may watch`}
            name="access"
            defaultValue={product.access}
            options={productAccess.options.map((value) => ({ value, label: i18n._(productAccesses[value]) }))}
            error={errors.access}
          />
          <CategoryChoice chosen={categoryIds} onChange={setCategoryIds} />
          <TextField
            label={t`Tags`}
            hint={t`Separated by commas.`}
            name="tags"
            defaultValue={product.tags.join(', ')}
            error={errors.tags}
          />
          <TextField
            label={t`Age rating`}
            hint={t`ALL, an age, or a word of your country’s rating.`}
            name="ageRating"
            defaultValue={product.ageRating}
            maxLength={20}
            error={errors.ageRating}
          />
          <PresentationFields product={product} errors={errors} />
        </>
      )}
    </ContentForm>
  )
}
