import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'

/** Where an item is dropped: at an edge of another one, or into it. */
export type DropPlace = 'BEFORE' | 'AFTER' | 'INTO'

/** A list whose items are dragged. Buttons or keys do the same for those who cannot drag. */
export interface DragList {
  /** Of this list alone, because items do not move to another one. */
  id: string
  /** Whether items can be dropped into each other. */
  nests?: boolean
  mayDrop?: (from: number, to: number, place: DropPlace) => boolean
  onDrop: (from: number, to: number, place: DropPlace) => void
}

/** The index of an item after it was dropped at an edge of another one. */
export const indexAfter = (from: number, to: number, place: DropPlace): number => {
  const index = place === 'AFTER' ? to + 1 : to
  return from < index ? index - 1 : index
}

/** Moves an item of a list before or after another one. */
export const moved = <Item>(items: readonly Item[], from: number, to: number, place: DropPlace): Item[] => {
  const item = items[from]
  if (item === undefined) return [...items]
  return items.toSpliced(from, 1).toSpliced(indexAfter(from, to, place), 0, item)
}

/** A list whose items take their new order at once. Null where the order stays. */
export const useReorder = <Item>(
  items: readonly Item[],
  onChange: (items: Item[]) => void,
  isAllowed: boolean,
): DragList | null => {
  const id = useId()
  return isAllowed ? { id, onDrop: (from, to, place) => onChange(moved(items, from, to, place)) } : null
}

const placeAt = (element: Element, y: number, nests: boolean): DropPlace => {
  const { top, height } = element.getBoundingClientRect()
  const share = (y - top) / height
  const edge = nests ? 0.3 : 0.5
  if (share < edge) return 'BEFORE'
  return share > 1 - edge ? 'AFTER' : 'INTO'
}

/**
 * Makes an element an item of a list that is dragged by its handle. Returns the refs of both, and
 * the attributes of the item that show what would happen.
 */
export const useDragItem = <Item extends HTMLElement>(list: DragList | null, at: number) => {
  const item = useRef<Item>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [place, setPlace] = useState<DropPlace | null>(null)
  const [isDragged, setDragged] = useState(false)
  const id = list?.id
  const placeFor = useEffectEvent((from: unknown, y: number): DropPlace | null => {
    if (!list || !item.current || typeof from !== 'number') return null
    const found = placeAt(item.current, y, list.nests ?? false)
    return (list.mayDrop?.(from, at, found) ?? true) ? found : null
  })
  const drop = useEffectEvent((from: unknown, found: DropPlace | null) => {
    if (typeof from === 'number' && found) list?.onDrop(from, at, found)
  })
  useEffect(() => {
    const element = item.current
    const dragHandle = handle.current
    if (!element || !dragHandle || id === undefined) return
    return combine(
      draggable({
        element,
        dragHandle,
        getInitialData: () => ({ list: id, at }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === id && source.data.at !== at,
        onDrag: ({ source, location }) => setPlace(placeFor(source.data.at, location.current.input.clientY)),
        onDragLeave: () => setPlace(null),
        onDrop: ({ source, location }) => {
          setPlace(null)
          drop(source.data.at, placeFor(source.data.at, location.current.input.clientY))
        },
      }),
    )
  }, [id, at])
  return { item, handle, shown: { 'data-place': place ?? undefined, 'data-dragged': isDragged || undefined } }
}
