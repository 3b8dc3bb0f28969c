import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Button } from '~/ui/button'
import type { RenderElement } from '~/ui/element'
import { useFormat } from '../platform/format'
import type { CountQuery } from '../platform/list-count'
import styles from './data-list.module.css'

interface TotalProps {
  /** The objects of the page. */
  shown: number
  /** Whether the page has all of them, so that they need not be counted. */
  isWhole: boolean
  count: CountQuery
}

/** How many objects fit the filters of a list. */
function Total({ shown, isWhole, count: query }: TotalProps) {
  const { number } = useFormat()
  const counted = useQuery({ ...query, enabled: !isWhole }).data
  const { count, hasMore } = isWhole ? { count: shown, hasMore: false } : (counted ?? { count: 0, hasMore: false })
  const limit = number(count)
  return (
    <p className={styles.total} aria-live="polite">
      {count > 0 &&
        (hasMore ? <Trans>{limit}+ results</Trans> : <Plural value={count} one="# result" other="# results" />)}
    </p>
  )
}

interface PagingProps {
  /** The accessible name, where a page has several. */
  label?: string
  /** What the list shows of how many. */
  total?: Omit<TotalProps, 'isWhole'>
  /** Links of the router; absent if there is no such page. */
  first: RenderElement | '' | undefined
  next: RenderElement | '' | null
}

/** The foot of a list: how much there is, and links to its beginning and to what follows. */
export function Paging({ label, total, first, next }: PagingProps) {
  const { t } = useLingui()
  const isWhole = !first && !next
  if (isWhole && !total?.shown) return null
  return (
    <div className={styles.foot}>
      {total && <Total {...total} isWhole={isWhole} />}
      {!isWhole && (
        <nav className={styles.paging} aria-label={label ?? t`Pages`}>
          {first && (
            <Button size="s" render={first}>
              <Trans>First page</Trans>
            </Button>
          )}
          {next && (
            <Button size="s" iconEnd="chevron-end" render={next}>
              <Trans>Next page</Trans>
            </Button>
          )}
        </nav>
      )}
    </div>
  )
}
