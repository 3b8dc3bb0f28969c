import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { useReorder } from '../../ui/drag-item'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { useRowFocus } from '../../ui/row-focus'
import { offeredTexts } from '../../ui/store-languages'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { type EditedOption, editedOption, editedOptions, newOption, OptionFields, RemovedOption } from './option-fields'
import { DraggedPart, PartButtons } from './part-buttons'
import { amountsOf, changesOf } from './price-schedule'
import styles from './products.module.css'

/** The options as they are edited. `save` saves all of them, in their order. */
const useOptions = ({ code, version, options: stored }: StoreProduct) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const { currency, timeZone, locale, locales } = useSettings().base
  const [before] = useState(() => stored.map((option) => editedOption(option, timeZone)))
  const [options, setOptions] = useState(before)
  const [isDirty, setDirty] = useState(false)
  const edit = (changed: EditedOption[]) => {
    setOptions(changed)
    setDirty(JSON.stringify(changed) !== JSON.stringify(before))
  }
  const left = options.filter(({ isRemoved }) => !isRemoved)
  const removed = stored.flatMap(({ id }) => (options.some((each) => each.id === id && each.isRemoved) ? [id] : []))
  const order = stored.flatMap(({ id }) => (removed.includes(id) ? [] : [id]))
  const isReordered = left.some(({ id }, at) => id !== order[at])
  const save = useWrite(
    () =>
      api.admin.products.change(
        {
          code,
          options: left.map(({ id, name, type, days, startWithinDays, prices, changes, onSale, translations }, at) => ({
            name,
            translations: offeredTexts(translations, { locale, locales }),
            type,
            onSale,
            ...(id && { id }),
            ...(isReordered && { sort: at }),
            days: type === 'RENT' ? Number(days) : null,
            startWithinDays: type === 'RENT' && startWithinDays !== '' ? Number(startWithinDays) : null,
            ...amountsOf(prices, currency),
            priceChanges: changesOf(changes, stored.find((each) => each.id === id)?.priceChanges ?? [], {
              currency,
              timeZone,
            }),
          })),
          ...(removed.length > 0 && { removeOptionIds: removed }),
        },
        { context: { ifMatch: version } },
      ),
    { done: t`Prices saved`, changes: [['product', code], ['products']], onDone: () => setDirty(false) },
  )
  const errors = save.failure?.fields ?? {}
  /** An option that is not saved is removed at once. Another one may still be kept. */
  const remove = (at: number, option: EditedOption) =>
    edit(
      stored.some(({ id }) => id === option.id)
        ? options.with(at, { ...option, isRemoved: !option.isRemoved })
        : options.toSpliced(at, 1),
    )
  return {
    options,
    edit,
    isDirty,
    save,
    remove,
    errors,
    pathOf: (option: EditedOption) => `options.${left.indexOf(option)}`,
    removalErrorOf: ({ id }: EditedOption) => id && errors[`removeOptionIds.${removed.indexOf(id)}`],
  }
}

/** The ways to buy a product, with their prices. An option that was sold is taken off sale. */
export function OptionForm({ product }: { product: StoreProduct }) {
  const { t } = useLingui()
  const { code } = product
  const isAllowed = useMay()('products:write')
  const { options, edit, isDirty, save, remove, errors, pathOf, removalErrorOf } = useOptions(product)
  const list = useReorder(options, edit, isAllowed && options.length > 1)
  const addButton = useRef<HTMLButtonElement>(null)
  const rowFocus = useRowFocus<HTMLFieldSetElement>(options.map(({ key }) => key))
  return (
    <Section
      title={<Trans>Prices</Trans>}
      actions={
        isAllowed && (
          <Button ref={addButton} size="s" icon="plus" onClick={() => edit([...options, newOption()])}>
            <Trans>Add option</Trans>
          </Button>
        )
      }
    >
      {options.length === 0 && (
        <p>
          <Trans>Nobody can buy it yet: add an option with a price.</Trans>
        </p>
      )}
      <form className={styles.options} onSubmit={onSubmit(() => save.send(undefined))}>
        {isAllowed && (
          <FormDraft
            queryKey={['product', code]}
            part="options"
            isDirty={isDirty}
            held={heldState(options, editedOptions, edit)}
          />
        )}
        <fieldset className={styles.options} disabled={!isAllowed} {...rowFocus}>
          {options.map((option, at) => {
            const { key, name, isRemoved } = option
            const title = name || t`New option`
            return (
              <DraggedPart key={key} className={styles.option} at={at} list={list} title={title}>
                {isAllowed && (
                  <PartButtons
                    title={title}
                    items={options}
                    at={at}
                    onChange={edit}
                    isRemoved={isRemoved}
                    onRemove={() => {
                      // The next one gets the focus, unless it was the only one.
                      if (options.length === 1 && !option.id) addButton.current?.focus()
                      remove(at, option)
                    }}
                  />
                )}
                {isRemoved ? (
                  <RemovedOption error={removalErrorOf(option)} />
                ) : (
                  <OptionFields
                    option={option}
                    path={pathOf(option)}
                    errors={errors}
                    onChange={(part) => edit(options.with(at, { ...option, ...part }))}
                  />
                )}
              </DraggedPart>
            )
          })}
        </fieldset>
        <WriteRefusal failure={save.failure} queryKey={['product', code]} onLoaded={save.reset} />
        {isAllowed && options.length > 0 && (
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending}>
              <Trans>Save prices</Trans>
            </Button>
          </div>
        )}
      </form>
      <UnsavedChanges when={isDirty} />
    </Section>
  )
}
