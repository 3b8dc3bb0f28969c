import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { Button } from '~/ui/button'
import { useMay } from '../platform/session'
import { useWrite } from '../platform/use-write'
import { useConfirm } from './confirm'
import { WriteRefusal } from './conflict'
import { indexAfter } from './drag-item'
import { DraggedRows } from './dragged-rows'
import form from './form.module.css'
import { MoveButtons } from './move-buttons'
import { Section } from './page'

interface DeleteSectionProps {
  /** What deleting needs. */
  permission?: Permission
  /** The question of the dialog. */
  question: string
  /** What must be typed first; absent for what is soon made again. */
  word?: string
  queryKey: QueryKey
  changes: readonly QueryKey[]
  send: () => Promise<unknown>
  /** Leaves the page. */
  onDone: () => void
}

/** Deletes an object once it is confirmed. */
export function DeleteSection(props: DeleteSectionProps) {
  const { permission = 'content:write', question, word, queryKey, changes, send, onDone } = props
  const { t } = useLingui()
  const isAllowed = useMay()(permission)
  const remove = useWrite(send, { done: t`Deleted`, changes, onDone })
  const confirm = useConfirm({ title: question, word, action: t`Delete`, onConfirm: () => remove.sendAsync(undefined) })
  if (!isAllowed) return null
  return (
    <Section title={<Trans>Delete</Trans>}>
      <WriteRefusal failure={remove.failure} queryKey={queryKey} onLoaded={remove.reset} />
      <div className={form.buttons}>
        <Button variant="danger" onClick={confirm.ask}>
          <Trans>Delete</Trans>
        </Button>
      </div>
      {confirm.dialog}
    </Section>
  )
}

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
  /** Moves an item to a position from 1 among all. */
  send: (move: { key: string; position: number }) => Promise<unknown>
  /** The positions to which an item can be moved; by default its neighbours. */
  neighbours?: (at: number) => { up: number | undefined; down: number | undefined }
}

/** A list whose order visitors see, changed by dragging or with buttons. */
export function OrderedRows(props: OrderedRowsProps) {
  const { permission = 'content:write', items, queryKey, send, neighbours } = props
  const { t } = useLingui()
  const isAllowed = useMay()(permission)
  const move = useWrite(send, { done: t`Order saved`, changes: [queryKey] })
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
