import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import type { SavedView, ViewedList } from '#contract/admin/views.ts'
import { Button } from '~/ui/button'
import { Chip } from '~/ui/chip'
import { Menu, MenuItem } from '~/ui/menu'
import { type ConsoleApi, useApi } from '../platform/client'
import { lazyPart } from '../platform/lazy-part'
import { useWrite } from '../platform/use-write'
import { useConfirm } from './confirm'
import styles from './list-views.module.css'

const ViewDialog = lazyPart(async () => ({ default: (await import('./view-dialog')).ViewDialog }))

const viewsKey = ['views'] as const
const viewsQuery = (api: ConsoleApi) =>
  queryOptions({ queryKey: viewsKey, queryFn: () => api.staff.views(), staleTime: 60_000 })

/** Parameters of an address; the same ones have the same text. */
const textOf = (search: Readonly<Record<string, string | undefined>>) =>
  JSON.stringify(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

interface ViewMenuProps {
  view: SavedView
  onRename: () => void
  onDeleted: () => void
}

function ViewMenu({ view: { id, name, isShared, isOwn }, onRename, onDeleted }: ViewMenuProps) {
  const { t } = useLingui()
  const { staff } = useApi()
  const share = useWrite(() => staff.changeView({ id, isShared: !isShared }), {
    done: isShared ? t`Only you see the view now` : t`All staff see the view now`,
    changes: [viewsKey],
    notifiesFailure: true,
  })
  const remove = useWrite(() => staff.deleteView({ id }), {
    done: t`View deleted`,
    changes: [viewsKey],
    onDone: onDeleted,
    notifiesFailure: true,
  })
  const confirm = useConfirm({
    title: t`Delete the view “${name}”?`,
    text: isShared && <Trans>It is deleted for all staff.</Trans>,
    action: t`Delete`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button size="s" variant="ghost" iconEnd="chevron-down" loading={share.isPending}>
            <Trans>View</Trans>
          </Button>
        }
      >
        <MenuItem value="rename" onSelect={onRename}>
          <Trans>Rename</Trans>
        </MenuItem>
        {isOwn && (
          <MenuItem value="share" onSelect={() => share.send(undefined)}>
            {isShared ? <Trans>Show to me only</Trans> : <Trans>Share with all staff</Trans>}
          </MenuItem>
        )}
        <MenuItem value="delete" danger onSelect={confirm.ask}>
          <Trans>Delete</Trans>
        </MenuItem>
      </Menu>
      {confirm.dialog}
    </>
  )
}

interface ListViewsProps {
  list: ViewedList
  /** The parameters of the address, without the page. */
  search: Readonly<Record<string, string | undefined>>
  /** A link to the list with other parameters. */
  linkTo: (search: Readonly<Record<string, string>>) => ReactElement
  /** Shows the list with other parameters. */
  onShow: (search: Readonly<Record<string, string>>) => void
}

/**
 * The views of a list: filters, sorting and columns under a name, the person’s own and those that
 * others share.
 */
export function ListViews({ list, search, linkTo, onShow }: ListViewsProps) {
  const { t } = useLingui()
  const { staff } = useApi()
  const views = (useQuery(viewsQuery(useApi())).data?.items ?? []).filter((view) => view.list === list)
  const current = textOf(search)
  const shown = views.find((view) => textOf(view.search) === current)
  const isAll = current === textOf({})
  // The view that was shown last: its filters may have been changed since.
  const [lastId, setLastId] = useState<SavedView['id']>()
  const nextId = isAll ? undefined : (shown?.id ?? lastId)
  if (nextId !== lastId) setLastId(nextId)
  const last = views.find(({ id }) => id === nextId)
  const [dialog, setDialog] = useState<'NEW' | 'RENAME'>()
  const given = Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const keep = useWrite((view: SavedView) => staff.changeView({ id: view.id, search: given }), {
    done: t`View saved`,
    changes: [viewsKey],
    notifiesFailure: true,
  })
  if (views.length === 0 && isAll) return null
  const isChanged = !shown && !isAll
  const lastName = last?.name
  return (
    <nav aria-label={t`Saved views`} className={styles.views}>
      <Chip selected={isAll} render={linkTo({})}>
        <Trans>All</Trans>
      </Chip>
      {views.map((view) => {
        const { id, name, owner, isShared, search: parameters } = view
        return (
          <Chip key={id} selected={view === shown} render={linkTo(parameters)}>
            <bdi title={owner && isShared ? t`Shared by ${owner}` : undefined}>{name}</bdi>
          </Chip>
        )
      })}
      {shown?.isEditable && (
        <ViewMenu key={shown.id} view={shown} onRename={() => setDialog('RENAME')} onDeleted={() => onShow({})} />
      )}
      {isChanged && last?.isEditable && (
        <Button size="s" variant="ghost" loading={keep.isPending} onClick={() => keep.send(last)}>
          <Trans>Save changes to “{lastName}”</Trans>
        </Button>
      )}
      {isChanged && (
        <Button size="s" variant="ghost" icon="plus" onClick={() => setDialog('NEW')}>
          <Trans>Save view</Trans>
        </Button>
      )}
      {dialog && (
        <ViewDialog
          list={list}
          search={given}
          view={dialog === 'RENAME' ? shown : undefined}
          changes={[viewsKey]}
          onClose={() => setDialog(undefined)}
        />
      )}
    </nav>
  )
}
