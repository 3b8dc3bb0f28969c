import { useRowFocus } from './row-focus'
import { Rows, type RowsProps } from './rows'

/** A short list whose rows can be removed: the next row then has the focus. */
export const RemovableRows = (props: RowsProps) => (
  <Rows {...props} {...useRowFocus<HTMLUListElement>(props.items.map(({ key }) => key))} />
)
