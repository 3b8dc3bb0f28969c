/** The columns that a list shows: the keys as an address has them, or the usual ones. */
export interface ColumnChoice {
  shown: string | undefined
  onShow: (shown: string | undefined) => void
}

export interface ListedColumn {
  key: string
  /** Shown only where it is chosen. */
  isOptional?: boolean
}

/** Whether a column is shown. The first always is, because it holds the link of the row. */
export const isColumnShown = (shown: string | undefined, { key, isOptional }: ListedColumn, at: number): boolean =>
  at === 0 || (shown === undefined ? !isOptional : shown.split(',').includes(key))
