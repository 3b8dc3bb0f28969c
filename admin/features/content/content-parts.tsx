import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ContentState } from '#contract/admin/content.ts'
import { Button, IconButton } from '~/ui/button'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import type { Statuses } from '../../ui/status'
import styles from './content.module.css'

export const contentStates = {
  SCHEDULED: { label: msg`Scheduled`, tone: 'warning' },
  SHOWN: { label: msg`Published`, tone: 'success' },
  ENDED: { label: msg`Ended`, tone: 'neutral' },
} as const satisfies Statuses<ContentState>

interface DeleteSectionProps {
  /** The question of the dialog. */
  question: string
  queryKey: QueryKey
  changes: readonly QueryKey[]
  send: () => Promise<unknown>
  /** Leaves the page. */
  onDone: () => void
}

/** Deletes an object once it is confirmed. */
export function DeleteSection({ question, queryKey, changes, send, onDone }: DeleteSectionProps) {
  const { t } = useLingui()
  const isAllowed = useMay()('content:write')
  const remove = useWrite(send, { done: t`Deleted`, changes, onDone })
  const confirm = useConfirm({ title: question, action: t`Delete`, onConfirm: () => remove.sendAsync(undefined) })
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
  items: readonly OrderedItem[]
  queryKey: QueryKey
  /** Moves an item to a position from 1 among all. */
  send: (move: { key: string; position: number }) => Promise<unknown>
  /** The positions to which an item can be moved; by default its neighbours. */
  neighbours?: (at: number) => { up: number | undefined; down: number | undefined }
}

/** A list whose order visitors see, with buttons that change it. */
export function OrderedRows({ items, queryKey, send, neighbours }: OrderedRowsProps) {
  const { t } = useLingui()
  const isAllowed = useMay()('content:write')
  const move = useWrite(send, { done: t`Order saved`, changes: [queryKey] })
  const besides = (at: number) =>
    neighbours?.(at) ?? { up: at > 0 ? at - 1 : undefined, down: at < items.length - 1 ? at + 1 : undefined }
  return (
    <>
      <WriteRefusal failure={move.failure} queryKey={queryKey} onLoaded={move.reset} />
      <Rows
        items={items.map(({ key, name, title, detail, end }, at) => {
          const { up, down } = besides(at)
          const step = (to: number | undefined) => {
            if (to !== undefined && !move.isPending) move.send({ key, position: to + 1 })
          }
          return {
            key,
            title,
            detail,
            end: (
              <>
                {end}
                {isAllowed && (
                  <>
                    <IconButton
                      className={styles.move}
                      icon="chevron-up"
                      label={t`Move up: ${name}`}
                      aria-disabled={up === undefined}
                      onClick={() => step(up)}
                    />
                    <IconButton
                      className={styles.move}
                      icon="chevron-down"
                      label={t`Move down: ${name}`}
                      aria-disabled={down === undefined}
                      onClick={() => step(down)}
                    />
                  </>
                )}
              </>
            ),
          }
        })}
      />
    </>
  )
}
