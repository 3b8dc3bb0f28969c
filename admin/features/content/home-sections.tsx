import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreCategories } from '#contract/admin/products.ts'
import type { StoreSettings } from '#contract/admin/settings.ts'
import type { CategoryId } from '#contract/ids.ts'
import { defaultHomeSections, type HomeSection, maxHomeSections, type StandardSection } from '#contract/tenancy.ts'
import { Button, IconButton } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { useReorder } from '../../ui/drag-item'
import { DraggedRows } from '../../ui/dragged-rows'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import styles from '../../ui/ordered-rows.module.css'
import { Columns, Page, Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { TranslatedFields } from '../../ui/translated-fields'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { categoriesQuery } from '../catalog/products.queries'
import { settingsKey, storeSettingsQuery } from '../tenancy/settings.queries'
import { ContentTabs } from './content-tabs'

/** What each section shows. */
const standardLabels = {
  WATCHING: { name: msg`Continue watching`, about: msg`Members see it once they have begun a film.` },
  VIEWED: { name: msg`Recently viewed`, about: msg`Visitors see it once they have looked at a title.` },
  NEWEST: { name: msg`New arrivals`, about: msg`The latest titles.` },
  GRID_BANNERS: { name: msg`Tiles`, about: msg`The banners that are a tile of the home page.` },
  MOST_PLAYED: { name: msg`Most played`, about: msg`The titles that are played most.` },
  WIDE_BANNER: { name: msg`First wide picture`, about: msg`Further wide pictures stand between the categories.` },
  CATEGORIES: { name: msg`Categories`, about: msg`The first five categories with at least four titles each.` },
  CUSTOM_BANNERS: { name: msg`Texts`, about: msg`The banners that are a text of the home page.` },
} as const satisfies Record<StandardSection, { name: MessageDescriptor; about: MessageDescriptor }>

const keyOf = (section: HomeSection) => (section.kind === 'CATEGORY' ? section.categoryId : section.kind)

type CategorySection = Extract<HomeSection, { kind: 'CATEGORY' }>

interface CategoryTitleProps {
  section: CategorySection
  name: string
  onChange: (section: CategorySection) => void
}

/** A title in place of the category's name. */
function CategoryTitle({ section, name, onChange }: CategoryTitleProps) {
  const { t } = useLingui()
  const { title, titles = {} } = section
  const values = Object.fromEntries(Object.entries(titles).map(([language, text]) => [language, { title: text }]))
  return (
    <div className={form.form}>
      <TextField
        label={t`Title of the section ${name}`}
        hint={t`Empty for the name of the category.`}
        value={title ?? ''}
        maxLength={100}
        onChange={({ target }) => onChange({ ...section, title: target.value || undefined })}
      />
      {title && (
        <TranslatedFields
          label={t`Title of the section ${name}`}
          name="title"
          values={values}
          maxLength={100}
          onChange={(changed) =>
            onChange({
              ...section,
              titles: Object.fromEntries(
                Object.entries(changed).flatMap(([language, texts]) => (texts?.title ? [[language, texts.title]] : [])),
              ),
            })
          }
        />
      )}
    </div>
  )
}

interface ArrangementProps {
  stored: StoreSettings
  categories: StoreCategories['items']
}

function Arrangement({ stored: { settings, version }, categories }: ArrangementProps) {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('settings:write')
  const [sections, setSections] = useState<readonly HomeSection[]>(settings.homeSections ?? defaultHomeSections)
  const [isDirty, setDirty] = useState(false)
  const edit = (changed: readonly HomeSection[]) => {
    setSections(changed)
    setDirty(true)
  }
  const save = useWrite(
    (homeSections: HomeSection[] | null) =>
      api.admin.settings.update({ homeSections }, { context: { ifMatch: version } }),
    { done: t`Home page saved`, changes: [settingsKey], onDone: () => setDirty(false) },
  )
  const drag = useReorder(sections, edit, isAllowed)
  const move = (at: number, to: number) => {
    const section = sections[at]
    if (section && to >= 0 && to < sections.length) edit(sections.toSpliced(at, 1).toSpliced(to, 0, section))
  }
  const replace = (at: number, section: HomeSection) => edit(sections.with(at, section))
  const nameOf = (section: HomeSection) =>
    section.kind === 'CATEGORY'
      ? (categories.find(({ id }) => id === section.categoryId)?.name ?? t`A category that no longer exists`)
      : i18n._(standardLabels[section.kind].name)
  const others = categories.filter(({ id }) => sections.every((section) => keyOf(section) !== id))
  const add = (id: CategoryId) => edit([...sections, { kind: 'CATEGORY', categoryId: id }])
  return (
    <form className={form.form} onSubmit={onSubmit(() => save.send([...sections]))}>
      <p>
        <Trans>
          From top to bottom, below the slides. A section with nothing to show is left out. Visitors see a change with
          their next request.
        </Trans>
      </p>
      <DraggedRows
        drag={drag}
        items={sections.map((section, at) => {
          const name = nameOf(section)
          return {
            key: keyOf(section),
            title: <bdi>{name}</bdi>,
            detail: (
              <>
                {section.kind === 'CATEGORY' ? (
                  isAllowed && (
                    <CategoryTitle section={section} name={name} onChange={(changed) => replace(at, changed)} />
                  )
                ) : (
                  <p>{i18n._(standardLabels[section.kind].about)}</p>
                )}
                <Checkbox
                  label={<Trans>Show it</Trans>}
                  aria-label={t`Show: ${name}`}
                  checked={!section.hidden}
                  disabled={!isAllowed}
                  onChange={({ target }) => replace(at, { ...section, hidden: target.checked ? undefined : true })}
                />
              </>
            ),
            end: isAllowed && (
              <>
                <IconButton
                  className={styles.move}
                  icon="chevron-up"
                  label={t`Move up: ${name}`}
                  aria-disabled={at === 0}
                  onClick={() => move(at, at - 1)}
                />
                <IconButton
                  className={styles.move}
                  icon="chevron-down"
                  label={t`Move down: ${name}`}
                  aria-disabled={at === sections.length - 1}
                  onClick={() => move(at, at + 1)}
                />
                {section.kind === 'CATEGORY' && (
                  <IconButton icon="close" label={t`Remove: ${name}`} onClick={() => edit(sections.toSpliced(at, 1))} />
                )}
              </>
            ),
          }
        })}
      />
      {isAllowed && others.length > 0 && sections.length < maxHomeSections && (
        <Select
          label={t`Add the titles of a category`}
          value=""
          options={[
            { value: '', label: t`Choose…` },
            ...others.map(({ id, path }) => ({ value: id, label: path.join(' › ') })),
          ]}
          onChange={({ target }) => {
            const chosen = others.find(({ id }) => id === target.value)
            if (chosen) add(chosen.id)
          }}
        />
      )}
      <WriteRefusal failure={save.failure} queryKey={settingsKey} onLoaded={save.reset} />
      {save.failure?.fields.homeSections && <Notice tone="danger">{save.failure.fields.homeSections}</Notice>}
      {isAllowed && (
        <div className={form.buttons}>
          <Button type="submit" variant="primary" loading={save.isPending} disabled={!isDirty}>
            <Trans>Save</Trans>
          </Button>
          {settings.homeSections && (
            <Button loading={save.isPending} onClick={() => save.send(null)}>
              <Trans>Restore the usual arrangement</Trans>
            </Button>
          )}
        </div>
      )}
      <UnsavedChanges when={isDirty} />
    </form>
  )
}

/** Arranges the home page of the store. */
export function HomeSections() {
  const { t } = useLingui()
  const api = useAdminApi()
  const settings = useQuery(storeSettingsQuery(api))
  const categories = useQuery(categoriesQuery(api))
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
      <ContentTabs current="home" />
      <Loaded query={settings}>
        {(stored) => (
          <Columns
            aside={
              <History
                entries={stored.history.filter(({ changes }) =>
                  Object.keys(changes).some((name) => name.startsWith('homeSections')),
                )}
              />
            }
          >
            <Section title={<Trans>Home page</Trans>}>
              <Loaded query={categories}>
                {({ items }) => <Arrangement key={stored.version} stored={stored} categories={items} />}
              </Loaded>
            </Section>
          </Columns>
        )}
      </Loaded>
    </Page>
  )
}
