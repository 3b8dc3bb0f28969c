import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import type { RenderElement } from '~/ui/element'
import styles from './data-list.module.css'

interface PagingProps {
  /** The accessible name, where a page has several. */
  label?: string
  /** Links of the router; absent if there is no such page. */
  first: RenderElement | '' | undefined
  next: RenderElement | '' | null
}

/** The foot of a list: to its beginning, and to what follows. */
export function Paging({ label, first, next }: PagingProps) {
  const { t } = useLingui()
  if (!first && !next) return null
  return (
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
  )
}
