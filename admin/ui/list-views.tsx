import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import type { SavedView, ViewedList } from '#contract/admin/views.ts'
import { Button } from '~/ui/button'
import { Chip } from '~/ui/chip'
import { type ConsoleApi, useApi } from '../platform/client'
import { lazyPart } from '../platform/lazy-part'
import { useWrite } from '../platform/use-write'
import styles from './list-views.module.css'

const ViewDialog = lazyPart(async () => ({ default: (await import('./view-dialog')).ViewDialog }))

// Menus are large, and shown only where there are views.
const ViewMenu = lazyPart(async () => ({ default: (await import('./view-menu')).ViewMenu }))

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
        <ViewMenu
          key={shown.id}
          view={shown}
          changes={[viewsKey]}
          onRename={() => setDialog('RENAME')}
          onDeleted={() => onShow({})}
        />
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
