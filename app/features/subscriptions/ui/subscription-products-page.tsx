import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProductCard } from '#contract/catalog.ts'
import { type SortOption, sortOption } from '#contract/enumerations.ts'
import { useFormat } from '~/platform/format/use-format'
import { usePaginationLabels } from '~/platform/labels'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { SectionHeading } from '~/ui/section-heading'
import { Select } from '~/ui/select'
import type { SubscriptionProductsSearch } from '../plans.search'
import { subscriptionProductsQuery } from '../subscription.functions'
import styles from './plan-products-page.module.css'

interface Props {
  /** The page has two addresses. */
  at: '/plans/subscription-products' | '/subscription-products'
  search: SubscriptionProductsSearch
  grid: (products: readonly ProductCard[]) => ReactNode
}

/** All products that the member's plans include now. */
export function SubscriptionProductsPage({ at, search, grid }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const navigate = useNavigate()
  const labels = usePaginationLabels()
  const { data } = useSuspenseQuery(subscriptionProductsQuery(search))
  const sorts: { value: SortOption | ''; label: string }[] = [
    { value: '', label: t`Recommended` },
    { value: 'createdAt,DESC', label: t`Newest first` },
    { value: 'countOfPlays,DESC', label: t({ message: 'Most played', context: 'sort' }) },
    { value: 'duration,ASC', label: t`Shortest first` },
    { value: 'duration,DESC', label: t`Longest first` },
  ]
  return (
    <div className={styles.page}>
      <SectionHeading
        level="h1"
        title={<Trans>Included in your plan</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
        text={<Trans>Watch any of these as often as you like while your plan is active.</Trans>}
        action={
          data.total > 1 && (
            <form method="get" action={at} className={styles.sort}>
              <Select
                size="s"
                name="sort"
                label={t`Sort by`}
                labelHidden
                options={sorts}
                value={search.sort ?? ''}
                onChange={({ target }) =>
                  void navigate({
                    to: at,
                    search: { sort: sortOption.safeParse(target.value).data },
                    resetScroll: false,
                  })
                }
              />
              <noscript>
                <Button type="submit" size="s">
                  <Trans>Sort by</Trans>
                </Button>
              </noscript>
            </form>
          )
        }
      />
      {data.items.length === 0 ? (
        <EmptyState
          icon="film"
          title={data.total > 0 ? t`This page is empty.` : t`Your plan doesn’t include any titles right now.`}
          actions={
            <Button variant="primary" render={<Link to={data.total > 0 ? at : '/products'} />}>
              {data.total > 0 ? <Trans>Go to the first page</Trans> : <Trans>Browse the store</Trans>}
            </Button>
          }
        />
      ) : (
        grid(data.items)
      )}
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / data.size)}
          labels={labels}
          linkTo={(page) => <Link to={at} search={{ ...search, page }} />}
        />
      </div>
    </div>
  )
}
