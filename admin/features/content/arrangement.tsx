import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import type { StoreCategories } from '#contract/admin/categories.ts'
import type { StoreSettings, StoreSettingsChange } from '#contract/admin/settings.ts'
import type { CategoryId } from '#contract/ids.ts'
import { Button, IconButton } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { classNames } from '~/ui/element'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { moved, useReorder } from '../../ui/drag-item'
import { DraggedRows } from '../../ui/dragged-rows'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { History } from '../../ui/history'
import { MoveButtons } from '../../ui/move-buttons'
import { Columns, Page, Section } from '../../ui/page'
import { pathText } from '../../ui/product-labels'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { Loaded } from '../../ui/states'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { categoriesQuery } from '../catalog/products.queries'
import { settingsKey, storeSettingsQuery } from '../tenancy/settings.queries'
import styles from './content.module.css'
import { ContentTabs } from './content-tabs'

type Categories = StoreCategories['items']
/** Null for staff who may not see products. */
type KnownCategories = Categories | null

interface ArrangementProps<Item extends { hidden?: boolean | undefined }> {
  stored: StoreSettings
  /** What is arranged: a setting of the store. */
  setting: 'homeSections' | 'menu'
  /** What visitors see, from the setting or by default. */
  arranged: readonly Item[]
  about: ReactNode
  /** The maximum number of items. */
  max: number
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  /** What an item is, and the fields of one that the store has added. `errorOf` is by field. */
  detail: (item: Item, onChange: (item: Item) => void, errorOf: (field: string) => string | undefined) => ReactNode
  /** Whether the store has added an item, so that it can be removed. */
  isAdded: (item: Item) => boolean
  /** The controls that add items. */
  adding: (items: readonly Item[], onAdd: (item: Item) => void) => ReactNode
}

/** Items of a draft are as this console has written them; the API checks their fields. */
const isItem = (value: unknown) => typeof value === 'object' && value !== null && 'kind' in value

/** An ordered list of what visitors see, whose items are hidden, added and removed. */
export function Arrangement<Item extends { hidden?: boolean | undefined }>(props: ArrangementProps<Item>) {
  const { stored, setting, arranged, about, max, keyOf, nameOf, detail, isAdded, adding } = props
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('settings:write')
  const [items, setItems] = useState(arranged)
  const [isDirty, setDirty] = useState(false)
  const edit = (changed: readonly Item[]) => {
    setItems(changed)
    setDirty(true)
  }
  const save = useWrite(
    (value: readonly Item[] | null) => {
      // Each setting is given with items of its own kind.
      const change = { [setting]: value } as StoreSettingsChange
      return api.admin.settings.update(change, { context: { ifMatch: stored.version } })
    },
    { done: t`Saved`, changes: [settingsKey], onDone: () => setDirty(false) },
  )
  const restore = useConfirm({
    title: t`Restore the usual arrangement?`,
    text: t`What the store has added, hidden and ordered here is given up.`,
    action: t`Restore`,
    onConfirm: () => save.sendAsync(null),
  })
  const drag = useReorder(items, edit, isAllowed)
  const stepTo = (at: number, to: number) =>
    items[to] ? () => edit(moved(items, at, to, to < at ? 'BEFORE' : 'AFTER')) : undefined
  const replace = (at: number, item: Item) => edit(items.with(at, item))
  const errors = save.failure?.fields ?? {}
  return (
    <form className={classNames(form.form, styles.arrangement)} onSubmit={onSubmit(() => save.send(items))}>
      <ReadOnlyNotice permission="settings:write" />
      <p>{about}</p>
      {isAllowed && (
        <FormDraft
          queryKey={settingsKey}
          part={setting}
          isDirty={isDirty}
          held={heldState([...items], z.array(z.custom<Item>(isItem)), edit)}
        />
      )}
      <DraggedRows
        drag={drag}
        items={items.map((item, at) => {
          const name = nameOf(item)
          return {
            key: keyOf(item),
            title: <bdi>{name}</bdi>,
            detail: (
              <div className={styles.arranged}>
                {detail(
                  item,
                  (changed) => replace(at, changed),
                  (field) => errors[`${setting}.${at}.${field}`],
                )}
                <Checkbox
                  label={<Trans>Show it</Trans>}
                  aria-label={t`Show: ${name}`}
                  checked={!item.hidden}
                  disabled={!isAllowed}
                  onChange={({ target }) => replace(at, { ...item, hidden: target.checked ? undefined : true })}
                />
              </div>
            ),
            end: isAllowed && (
              <>
                <MoveButtons name={name} onUp={stepTo(at, at - 1)} onDown={stepTo(at, at + 1)} />
                {isAdded(item) && (
                  <IconButton icon="close" label={t`Remove: ${name}`} onClick={() => edit(items.toSpliced(at, 1))} />
                )}
              </>
            ),
          }
        })}
      />
      {isAllowed && items.length < max && adding(items, (item) => edit([...items, item]))}
      <WriteRefusal failure={save.failure} queryKey={settingsKey} onLoaded={save.reset} />
      {errors[setting] && <Notice tone="danger">{errors[setting]}</Notice>}
      {isAllowed && (
        <div className={form.buttons}>
          <Button type="submit" variant="primary" loading={save.isPending} disabled={!isDirty}>
            <Trans>Save</Trans>
          </Button>
          {stored.settings[setting] && (
            <Button loading={save.isPending} onClick={restore.ask}>
              <Trans>Restore the usual arrangement</Trans>
            </Button>
          )}
        </div>
      )}
      <UnsavedChanges when={isDirty} />
      {restore.dialog}
    </form>
  )
}

interface AddCategoryProps {
  label: string
  categories: KnownCategories
  /** Whether the arrangement has a category. */
  isArranged: (id: CategoryId) => boolean
  onAdd: (category: Categories[number]) => void
}

/** Adds a category to an arrangement. */
export function AddCategory({ label, categories: known, isArranged, onAdd }: AddCategoryProps) {
  const { t } = useLingui()
  const categories = known?.filter(({ id }) => !isArranged(id)) ?? []
  if (categories.length === 0) return null
  return (
    <Select
      label={label}
      value=""
      options={[
        { value: '', label: t`Choose…` },
        ...categories.map((category) => ({ value: category.id, label: pathText(category) })),
      ]}
      onChange={({ target }) => {
        const chosen = categories.find(({ id }) => id === target.value)
        if (chosen) onAdd(chosen)
      }}
    />
  )
}

interface ArrangementPageProps extends Pick<ArrangementProps<{ hidden?: boolean }>, 'setting'> {
  tab: 'home' | 'menu'
  title: ReactNode
  children: (
    stored: StoreSettings,
    categories: KnownCategories,
    /** What a category of the arrangement is called. */
    categoryName: (id: CategoryId) => string,
  ) => ReactNode
}

/** The page of an arrangement, with what staff have changed about it. */
export function ArrangementPage({ setting, tab, title, children }: ArrangementPageProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const settings = useQuery(storeSettingsQuery(api))
  const nameIn = (known: Categories) => (id: CategoryId) =>
    known.find((category) => category.id === id)?.name ?? t`A category that no longer exists`
  const seesCategories = useMay()('products:read')
  const categories = useQuery({ ...categoriesQuery(api), enabled: seesCategories })
  return (
    <Page
      title={t`Content`}
      actions={
        // The storefront is another program.
        <Button iconEnd="external" render={<a href="/" />}>
          <Trans>View in the store</Trans>
        </Button>
      }
    >
      <ContentTabs current={tab} />
      <Loaded query={settings}>
        {(stored) => (
          <Columns
            aside={
              <History
                entries={stored.history.filter(({ changes }) =>
                  Object.keys(changes).some((name) => name.startsWith(setting)),
                )}
              />
            }
          >
            <Section title={title}>
              {seesCategories ? (
                <Loaded query={categories}>{({ items }) => children(stored, items, nameIn(items))}</Loaded>
              ) : (
                children(stored, null, () => t`A category`)
              )}
            </Section>
          </Columns>
        )}
      </Loaded>
    </Page>
  )
}
