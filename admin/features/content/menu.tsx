import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { defaultMenu, type MenuItem, maxMenuItems, menuItemKey, type StandardMenuItem } from '#contract/menu.ts'
import { Button } from '~/ui/button'
import { useMay } from '../../platform/session'
import form from '../../ui/form.module.css'
import { TextField } from '../../ui/text-field'
import { OwnTitle } from './arranged-fields'
import { AddCategory, Arrangement, ArrangementPage } from './arrangement'

/** Where each link leads. */
const standardLabels = {
  VIDEOS: { name: msg`Videos`, about: msg`The titles with a video.` },
  PLANS: { name: msg`Plans`, about: msg`Shown while the store sells plans.` },
  CATEGORIES: { name: msg`Categories`, about: msg`The first four top-level categories.` },
  PRODUCTS: { name: msg`All products`, about: msg`The list of all titles. A phone’s menu always has it.` },
} as const satisfies Record<StandardMenuItem, { name: MessageDescriptor; about: MessageDescriptor }>

interface LinkFieldsProps {
  item: MenuItem
  onChange: (item: MenuItem) => void
  errorOf: (field: string) => string | undefined
}

/** Where a link leads, and the texts of one that the store has added. */
function LinkFields({ item, onChange, errorOf }: LinkFieldsProps) {
  const { t, i18n } = useLingui()
  const isAllowed = useMay()('settings:write')
  if (item.kind === 'CATEGORY') return null
  if (item.kind !== 'LINK') return <p>{i18n._(standardLabels[item.kind].about)}</p>
  if (!isAllowed) return <p dir="ltr">{item.url}</p>
  return (
    <div className={form.form}>
      <OwnTitle
        label={t`Title`}
        isRequired
        title={item.title}
        titles={item.titles}
        errorOf={errorOf}
        onChange={(texts) => onChange({ ...item, ...texts })}
      />
      <TextField
        label={t`Address`}
        hint={t`A path of the store, such as /pages/about, or an address that begins with https://.`}
        value={item.url}
        maxLength={2000}
        dir="ltr"
        required
        error={errorOf('url')}
        onChange={({ target }) => onChange({ ...item, url: target.value.trim() })}
      />
    </div>
  )
}

/** Arranges the menu in the header of the store. */
export function Menu() {
  const { t, i18n } = useLingui()
  return (
    <ArrangementPage setting="menu" tab="menu" title={<Trans>Menu</Trans>}>
      {(stored, categories, categoryName) => (
        <Arrangement<MenuItem>
          key={stored.version}
          stored={stored}
          setting="menu"
          arranged={stored.settings.menu ?? defaultMenu}
          about={
            <Trans>
              The links beside the name of the store, in their order. What does not fit into a narrow window is left
              out; the menu of a phone has all of them, below the categories.
            </Trans>
          }
          max={maxMenuItems}
          keyOf={menuItemKey}
          nameOf={(item) => {
            if (item.kind === 'LINK') return item.title || t`A link`
            return item.kind === 'CATEGORY' ? categoryName(item.categoryId) : i18n._(standardLabels[item.kind].name)
          }}
          isAdded={({ kind }) => kind === 'CATEGORY' || kind === 'LINK'}
          detail={(item, onChange, errorOf) => <LinkFields item={item} onChange={onChange} errorOf={errorOf} />}
          adding={(items, onAdd) => (
            <>
              <AddCategory
                label={t`Add a category`}
                categories={categories}
                isArranged={(id) => items.some((item) => menuItemKey(item) === id)}
                onAdd={({ id }) => onAdd({ kind: 'CATEGORY', categoryId: id })}
              />
              <div className={form.buttons}>
                <Button
                  icon="plus"
                  onClick={() => onAdd({ kind: 'LINK', id: crypto.randomUUID(), title: '', url: '' })}
                >
                  <Trans>Add a link</Trans>
                </Button>
              </div>
            </>
          )}
        />
      )}
    </ArrangementPage>
  )
}
