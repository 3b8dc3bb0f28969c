import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { AnalyticsRow, AnalyticsSubject } from '#contract/analytics.ts'
import type { ProductCode } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { Button } from '~/ui/button'
import { saveFile } from '../../platform/save-file'
import { useWrite } from '../../platform/use-write'
import { comparisonIn, rangeIn, useAnalyticsApi } from './analytics.queries'
import type { AnalyticsSearch } from './analytics.search'
import styles from './number-table.module.css'

export interface NumberTableProps<Item> {
  /** The accessible name. */
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** The first column names the row. */
  columns: readonly { key: string; header: string; cell: (item: Item) => ReactNode }[]
}

/** A table of figures, which scrolls within its place. */
export function NumberTable<Item>({ label, items, keyOf, columns }: NumberTableProps<Item>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, header }) => (
              <th key={key} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ key, cell }, place) =>
                place === 0 ? (
                  <th key={key} scope="row">
                    {cell(item)}
                  </th>
                ) : (
                  <td key={key}>{cell(item)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CsvButtonProps {
  search: AnalyticsSearch
  of: AnalyticsSubject
  per?: AnalyticsRow
  /** Whether the file also has the figures of the range that it is compared with. */
  isCompared?: boolean
  /** Only of this product. */
  product?: ProductCode
  /** The accessible name, which says of what the file is. */
  label: string
}

/** Saves a table as a file for spreadsheets. */
export function CsvButton({ search, of, per, product, isCompared, label }: CsvButtonProps) {
  const { t } = useLingui()
  const api = useAnalyticsApi()
  const compared = isCompared && { compare: 'before' as const, ...comparisonIn(search) }
  const input = { ...rangeIn(search), ...compared, ...withoutUndefined({ of, per, product }) }
  const download = useWrite(() => api.table(input), {
    done: t`File saved`,
    onDone: (file) => saveFile(file, file.name),
    notifiesFailure: true,
  })
  return (
    <Button
      size="s"
      icon="download"
      aria-label={label}
      loading={download.isPending}
      onClick={() => download.send(undefined)}
    >
      <Trans>CSV</Trans>
    </Button>
  )
}
