import { useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { useMay } from '../platform/session'
import { useWrite } from '../platform/use-write'
import { WriteRefusal } from './conflict'
import { indexAfter } from './drag-item'
import { DraggedRows } from './dragged-rows'
import { MoveButtons } from './move-buttons'

interface OrderedItem {
  key: string
  name: string
  title: ReactNode
  detail?: ReactNode
  end?: ReactNode
}

interface OrderedRowsProps {
  /** What moving needs. */
  permission?: Permission
  items: readonly OrderedItem[]
  queryKey: QueryKey
  /** Other queries to load again. */
  changes?: readonly QueryKey[]
  /** Moves an item to a position from 1 among all. */
  send: (move: { key: string; position: number }) => Promise<unknown>
  /** The positions to which an item can be moved; by default its neighbours. */
  neighbours?: (at: number) => { up: number | undefined; down: number | undefined }
}

/** A list whose order visitors see, changed by dragging or with buttons. */
export function OrderedRows(props: OrderedRowsProps) {
  const { permission = 'content:write', items, queryKey, changes = [], send, neighbours } = props
  const { t } = useLingui()
  const isAllowed = useMay()(permission)
  const move = useWrite(send, { done: t`Order saved`, changes: [queryKey, ...changes] })
  const besides = (at: number) =>
    neighbours?.(at) ?? { up: at > 0 ? at - 1 : undefined, down: at < items.length - 1 ? at + 1 : undefined }
  return (
    <>
      <WriteRefusal failure={move.failure} queryKey={queryKey} onLoaded={move.reset} />
      <DraggedRows
        drag={
          isAllowed && items.length > 1
            ? {
                onDrop: (from, to, place) => {
                  const key = items[from]?.key
                  const position = indexAfter(from, to, place) + 1
                  if (key !== undefined && position !== from + 1 && !move.isPending) move.send({ key, position })
                },
              }
            : null
        }
        items={items.map(({ key, name, title, detail, end }, at) => {
          const { up, down } = besides(at)
          const stepTo = (to: number | undefined) =>
            to === undefined
              ? undefined
              : () => {
                  if (!move.isPending) move.send({ key, position: to + 1 })
                }
          return {
            key,
            title,
            detail,
            end: (
              <>
                {end}
                {isAllowed && <MoveButtons name={name} onUp={stepTo(up)} onDown={stepTo(down)} />}
              </>
            ),
          }
        })}
      />
    </>
  )
}
