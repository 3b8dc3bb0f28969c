import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ProductCode } from '#contract/ids.ts'
import { IconButton } from '~/ui/button'
import { classNames } from '~/ui/element'
import { useConfirm } from '../../ui/confirm'
import { DragHandle } from '../../ui/drag-handle'
import { type DragList, useDragItem } from '../../ui/drag-item'
import dragStyles from '../../ui/drag-item.module.css'
import rowStyles from '../../ui/ordered-rows.module.css'
import styles from './products.module.css'

interface PartButtonsProps<Item> {
  title: string
  items: readonly Item[]
  at: number
  onChange: (items: Item[]) => void
  /** It stays in the list until it is saved, and can still be kept. */
  isRemoved?: boolean
  /** By default it leaves the list at once. */
  onRemove?: () => void
}

/** Moves a part of a product among the others, or removes it. */
export function PartButtons<Item>(props: PartButtonsProps<Item>) {
  const { title, items, at, onChange, isRemoved = false, onRemove = () => onChange(items.toSpliced(at, 1)) } = props
  const { t } = useLingui()
  const move = (to: number) => {
    const item = items[at]
    if (item !== undefined && to >= 0 && to < items.length) onChange(items.toSpliced(at, 1).toSpliced(to, 0, item))
  }
  return (
    <div className={styles.steps}>
      <IconButton
        className={rowStyles.move}
        icon="chevron-up"
        label={t`Move up: ${title}`}
        aria-disabled={at === 0}
        onClick={() => move(at - 1)}
      />
      <IconButton
        className={rowStyles.move}
        icon="chevron-down"
        label={t`Move down: ${title}`}
        aria-disabled={at === items.length - 1}
        onClick={() => move(at + 1)}
      />
      <IconButton
        icon={isRemoved ? 'retry' : 'close'}
        label={isRemoved ? t`Keep: ${title}` : t`Remove: ${title}`}
        onClick={onRemove}
      />
    </div>
  )
}

interface RemovalOptions {
  code: ProductCode
  title: string
  /** The names of what is lost, where the form does not say them. */
  names?: readonly string[]
  /** The label of the button that saves. */
  action: string
  /** Whether saving removes something that buyers have. */
  isLoss: boolean
  save: { send: (input: undefined) => void; sendAsync: (input: undefined) => Promise<unknown> }
}

/** Asks for the code of the product before its parts are saved without some that buyers lose. */
export const useRemoval = ({ code, names = [], isLoss, save, ...question }: RemovalOptions) => {
  const text = (
    <>
      <p>
        <Trans>Buyers lose them.</Trans>
      </p>
      {names.length > 0 && (
        <ul>
          {names.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and none moves
            <li key={at}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  )
  const { ask, dialog } = useConfirm({ ...question, text, word: code, onConfirm: () => save.sendAsync(undefined) })
  return { submit: () => (isLoss ? ask() : save.send(undefined)), dialog }
}

interface DraggedPartProps {
  className: string | undefined
  at: number
  /** Null where the order stays. */
  list: DragList | null
  title: ReactNode
  children: ReactNode
}

/** The fields of a part of a product, which is dragged by the handle beside its title. */
export function DraggedPart({ className, at, list, title, children }: DraggedPartProps) {
  const { item, handle, shown } = useDragItem<HTMLFieldSetElement>(list, at)
  return (
    <fieldset ref={item} className={classNames(className, dragStyles.item)} {...shown}>
      <legend className={styles.legend}>
        <span className={styles.dragged}>
          {list && <DragHandle handle={handle} />}
          <span>{title}</span>
        </span>
      </legend>
      {children}
    </fieldset>
  )
}
