/** The columns that a list shows: the keys as an address has them, or all. */
export interface ColumnChoice {
  shown: string | undefined
  onShow: (shown: string | undefined) => void
}

/** Whether a column is shown. The first always is, because it holds the link of the row. */
export const isColumnShown = (shown: string | undefined, key: string, at: number): boolean =>
  at === 0 || shown === undefined || shown.split(',').includes(key)
