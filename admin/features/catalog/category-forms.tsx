import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { StoreCategories } from '#contract/admin/categories.ts'
import { categoryId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { FormButtons, onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { heldState } from '../../ui/form-draft'
import { FormGuard } from '../../ui/form-guard'
import { useOpenedForm } from '../../ui/opened-form'
import { pathText } from '../../ui/product-labels'
import { offeredTexts } from '../../ui/store-languages'
import { TextField } from '../../ui/text-field'
import { TranslatedFields, textsByLanguage } from '../../ui/translated-fields'
import styles from './products.module.css'
import { categoriesQuery } from './products.queries'

type StoreCategory = StoreCategories['items'][number]

/** A write of the form, which shows the tree that it answers with and closes the form. */
const useTreeWrite = <Input,>(
  send: (input: Input) => Promise<StoreCategories>,
  { done, onDone }: { done: string; onDone: () => void },
) => {
  const { queryKey } = categoriesQuery(useAdminApi())
  return useWrite(send, { done, answers: (tree) => [queryKey, tree], onDone })
}

interface ParentSelectProps {
  items: readonly StoreCategory[]
  defaultValue?: string
  error: string | undefined
}

function ParentSelect({ items, defaultValue = '', error }: ParentSelectProps) {
  const { t } = useLingui()
  return (
    <Select
      label={t`Parent`}
      name="parent"
      defaultValue={defaultValue}
      options={[
        { value: '', label: t`Top level` },
        ...items.map((item) => ({ value: item.id, label: pathText(item) })),
      ]}
      error={error}
    />
  )
}

interface NameFieldsProps {
  category?: StoreCategory
  fields: Readonly<Record<string, string | undefined>> | undefined
}

function NameFields({ category, fields }: NameFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        label={t`Name`}
        name="name"
        defaultValue={category?.name}
        maxLength={100}
        required
        error={fields?.name}
      />
      <TextField
        label={t`Slug`}
        name="slug"
        defaultValue={category?.slug}
        hint={category ? t`The end of its address. The former address redirects.` : t`Made from the name if empty.`}
        maxLength={80}
        required={category !== undefined}
        dir="auto"
        error={fields?.slug}
      />
    </>
  )
}

/** Creates a category, the last of its parent. */
export function NewCategoryForm({ items, onDone }: { items: readonly StoreCategory[]; onDone: () => void }) {
  const { t } = useLingui()
  const opened = useOpenedForm('new-category')
  const api = useAdminApi()
  const create = useTreeWrite(api.admin.categories.create, {
    done: t`Category created`,
    onDone,
  })
  return (
    <form
      ref={opened}
      className={form.form}
      onSubmit={onSubmit(({ name = '', slug, parent }) =>
        create.send({ name, parentId: categoryId.safeParse(parent).data ?? null, ...(slug && { slug }) }),
      )}
    >
      <FormGuard write={create} part="new category" />
      <Refusal failure={create.failure} />
      <NameFields fields={create.failure?.fields} />
      <ParentSelect items={items} error={create.failure?.fields.parentId} />
      <FormButtons isPending={create.isPending} onBack={onDone}>
        <Trans>Create category</Trans>
      </FormButtons>
    </form>
  )
}

interface EditProps {
  category: StoreCategory
  tree: StoreCategories
  onDone: () => void
}

function ParentForm({ category, tree: { items, version }, onDone }: EditProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { id, path } = category
  const move = useTreeWrite(
    (parentId: StoreCategory['parentId']) =>
      api.admin.categories.move({ id, parentId, position: items.length }, { context: { ifMatch: version } }),
    {
      done: t`Category moved`,
      onDone,
    },
  )
  const isBelow = (other: StoreCategory) => path.every((name, at) => other.path[at] === name)
  return (
    <form
      className={form.form}
      onSubmit={onSubmit(({ parent }) => move.send(categoryId.safeParse(parent).data ?? null))}
    >
      <WriteRefusal failure={move.failure} queryKey={['categories']} onLoaded={move.reset} />
      <ParentSelect
        items={items.filter((item) => !isBelow(item))}
        defaultValue={category.parentId ?? ''}
        error={move.failure?.fields.parentId}
      />
      <div className={form.buttons}>
        <Button type="submit" loading={move.isPending}>
          <Trans>Move</Trans>
        </Button>
      </div>
    </form>
  )
}

function DeleteCategory({ category, tree: { items, version }, onDone }: EditProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const { id, name, productCount } = category
  const remove = useTreeWrite(() => api.admin.categories.delete({ id }, { context: { ifMatch: version } }), {
    done: t`Category deleted`,
    onDone,
  })
  const confirm = useConfirm({
    title: t`Delete the category ${name}?`,
    text: <Trans>Its address stops working.</Trans>,
    action: t`Delete`,
    word: name,
    onConfirm: () => remove.sendAsync(undefined),
  })
  if (productCount > 0 || items.some(({ parentId }) => parentId === id))
    return (
      <p>
        <Trans>Only a category without categories, products and plans can be deleted.</Trans>
      </p>
    )
  return (
    <>
      <WriteRefusal failure={remove.failure} queryKey={['categories']} onLoaded={remove.reset} />
      <div className={form.buttons}>
        <Button variant="danger" onClick={confirm.ask}>
          <Trans>Delete</Trans>
        </Button>
      </div>
      {confirm.dialog}
    </>
  )
}

/** Renames a category, moves it below another, or deletes it. */
export function CategoryEditor(props: EditProps) {
  const { t } = useLingui()
  const { category, tree, onDone } = props
  const { id } = category
  const opened = useOpenedForm(`category-${id}`)
  const [translations, setTranslations] = useState(category.translations)
  const { base: languages } = useSettings()
  const api = useAdminApi()
  const save = useTreeWrite(
    (fields: { name: string; slug: string }) =>
      api.admin.categories.update(
        { id, translations: offeredTexts(translations, languages), ...fields },
        { context: { ifMatch: tree.version } },
      ),
    {
      done: t`Category saved`,
      onDone,
    },
  )
  return (
    <div className={styles.options}>
      <form
        ref={opened}
        className={form.form}
        onSubmit={onSubmit(({ name = '', slug = '' }) => save.send({ name, slug }))}
      >
        <FormGuard
          write={save}
          part={`category ${id}`}
          held={heldState(translations, textsByLanguage(['name']), setTranslations)}
        />
        <WriteRefusal failure={save.failure} queryKey={['categories']} onLoaded={save.reset} />
        <NameFields category={category} fields={save.failure?.fields} />
        <TranslatedFields
          texts={[{ name: 'name', label: t`Name`, own: category.name, maxLength: 100 }]}
          values={translations}
          onChange={setTranslations}
          errors={save.failure?.fields}
        />
        <FormButtons isPending={save.isPending} onBack={onDone} />
      </form>
      <ParentForm {...props} />
      <DeleteCategory {...props} />
    </div>
  )
}
