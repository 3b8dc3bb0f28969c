import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import type { StoreCategories } from '#contract/admin/categories.ts'
import type { CategoryId } from '#contract/ids.ts'
import { Button, IconButton } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import type { DropPlace } from '../../ui/drag-item'
import { DraggedRows } from '../../ui/dragged-rows'
import { History } from '../../ui/history'
import rowStyles from '../../ui/ordered-rows.module.css'
import { Columns, Page, Section } from '../../ui/page'
import { pathText } from '../../ui/product-labels'
import { Loaded } from '../../ui/states'
import { CategoryEditor, NewCategoryForm } from './category-forms'
import styles from './products.module.css'
import { categoriesQuery } from './products.queries'

type StoreCategory = StoreCategories['items'][number]

const depthOf = ({ path }: StoreCategory): CSSProperties & Record<'--depth', number> => ({ '--depth': path.length - 1 })

interface Step {
  id: CategoryId
  parentId: CategoryId | null
  position: number
  /** The button that was pressed. */
  button: string
}

interface TreeProps {
  tree: StoreCategories
  edited: CategoryId | undefined
  onEdit: (id: CategoryId | undefined) => void
}

function Tree({ tree, edited, onEdit }: TreeProps) {
  const { t } = useLingui()
  const { number } = useFormat()
  const api = useAdminApi()
  const { queryKey } = categoriesQuery(api)
  const isAllowed = useMay()('products:write')
  const { items, version } = tree
  const move = useWrite(
    async ({ button, ...step }: Step) => ({
      button,
      moved: await api.admin.categories.move(step, { context: { ifMatch: version } }),
    }),
    {
      done: t`Category moved`,
      answers: ({ moved }) => [queryKey, moved],
      // A browser takes the focus from an element that moves in the document.
      onDone: ({ button }) => requestAnimationFrame(() => document.getElementById(button)?.focus()),
    },
  )
  /** Whether a category would not be moved below itself. */
  const mayDrop = (from: number, to: number) => {
    const [dragged, target] = [items[from], items[to]]
    for (let above = target; above; above = items.find(({ id }) => id === above?.parentId))
      if (above.id === dragged?.id) return false
    return true
  }
  const drop = (from: number, to: number, place: DropPlace) => {
    const [dragged, target] = [items[from], items[to]]
    if (!dragged || !target || move.isPending) return
    const parentId = place === 'INTO' ? target.id : target.parentId
    const siblings = items.filter((item) => item.parentId === parentId && item.id !== dragged.id)
    const at = siblings.findIndex(({ id }) => id === target.id)
    const position = place === 'INTO' ? siblings.length + 1 : place === 'AFTER' ? at + 2 : at + 1
    move.send({ id: dragged.id, parentId, position, button: `category-${dragged.id}` })
  }
  const buttonsOf = ({ id, parentId, path }: StoreCategory) => {
    const siblings = items.filter((item) => item.parentId === parentId)
    const at = siblings.findIndex((item) => item.id === id)
    const name = pathText({ path })
    const step = (position: number, button: string) => {
      if (!move.isPending && position >= 1 && position <= siblings.length) move.send({ id, parentId, position, button })
    }
    return (
      <>
        <IconButton
          id={`up-${id}`}
          className={rowStyles.move}
          icon="chevron-up"
          label={t`Move up: ${name}`}
          aria-disabled={at === 0}
          onClick={() => step(at, `up-${id}`)}
        />
        <IconButton
          id={`down-${id}`}
          className={rowStyles.move}
          icon="chevron-down"
          label={t`Move down: ${name}`}
          aria-disabled={at === siblings.length - 1}
          onClick={() => step(at + 2, `down-${id}`)}
        />
        <Button id={`category-${id}`} size="s" aria-label={t`Change: ${name}`} onClick={() => onEdit(id)}>
          <Trans>Change</Trans>
        </Button>
      </>
    )
  }
  return (
    <>
      <WriteRefusal failure={move.failure} queryKey={['categories']} onLoaded={move.reset} />
      <DraggedRows
        drag={isAllowed && edited === undefined ? { nests: true, mayDrop, onDrop: drop } : null}
        items={items.map((category) => {
          const { id, name, slug, productCount } = category
          const isEdited = edited === id
          return {
            key: id,
            title: (
              <bdi className={styles.nested} style={depthOf(category)}>
                {name}
              </bdi>
            ),
            detail: isEdited ? (
              <CategoryEditor category={category} tree={tree} onDone={() => onEdit(undefined)} />
            ) : (
              <span className={styles.nested} style={depthOf(category)}>
                <bdi>{slug}</bdi> · {t`Products: ${number(productCount)}`}
              </span>
            ),
            end: isAllowed && !isEdited && buttonsOf(category),
          }
        })}
      />
    </>
  )
}

/** The category tree of the store, in the order of its menu. */
export function CategoryTree() {
  const { t } = useLingui()
  const isAllowed = useMay()('products:write')
  const categories = useQuery(categoriesQuery(useAdminApi()))
  const [edited, setEdited] = useState<CategoryId | 'new'>()
  const close = () => setEdited(undefined)
  return (
    <Page
      title={t`Categories`}
      actions={
        isAllowed && (
          <Button id="new-category" icon="plus" variant="primary" onClick={() => setEdited('new')}>
            <Trans>New category</Trans>
          </Button>
        )
      }
    >
      <Loaded query={categories}>
        {(tree) => (
          <Columns aside={<History entries={tree.history} />}>
            {edited === 'new' && (
              <Section title={<Trans>New category</Trans>}>
                <NewCategoryForm items={tree.items} onDone={close} />
              </Section>
            )}
            <Section title={<Trans>Tree</Trans>}>
              {tree.items.length === 0 && (
                <p>
                  <Trans>Create the first category: visitors find products by them in the menu and in lists.</Trans>
                </p>
              )}
              <Tree tree={tree} edited={edited === 'new' ? undefined : edited} onEdit={setEdited} />
            </Section>
          </Columns>
        )}
      </Loaded>
    </Page>
  )
}
