import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type SortOption, sortOption } from '#contract/enumerations.ts'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { PosterGrid } from '~/ui/poster-grid'
import { SectionHeading } from '~/ui/section-heading'
import { Select } from '~/ui/select'
import { paidProductsQuery, productsPerPage } from '../account.queries'
import type { PaidProductsSearch } from '../account.search'
import { usePaginationLabels } from '../use-pagination-labels'
import { OwnedCard } from './owned-card'
import styles from './product-list.module.css'

/** Everything with a live right, and how long it lasts. */
export function PaidProducts({ search }: { search: PaidProductsSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const navigate = useNavigate()
  const labels = usePaginationLabels()
  const { data } = useSuspenseQuery(paidProductsQuery(search))
  const sorts: { value: SortOption | ''; label: string }[] = [
    { value: '', label: t`Latest bought` },
    { value: 'createdAt,DESC', label: t`Newest title` },
    { value: 'countOfPlays,DESC', label: t({ message: 'Most watched', context: 'sort' }) },
    { value: 'duration,ASC', label: t`Shortest` },
    { value: 'duration,DESC', label: t`Longest` },
  ]

  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>What you own</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
        action={
          data.total > 1 && (
            <Select
              size="s"
              label={t`Sort by`}
              labelHidden
              options={sorts}
              value={search.sort ?? ''}
              onChange={({ target }) =>
                void navigate({
                  to: '/mypages/paid-products',
                  search: { sort: sortOption.safeParse(target.value).data },
                  resetScroll: false,
                })
              }
            />
          )
        }
      />
      {data.items.length === 0 ? (
        <EmptyState
          icon="film"
          title={data.total > 0 ? t`There is nothing on this page.` : t`Nothing here yet.`}
          actions={
            <Button variant="primary" render={<Link to={data.total > 0 ? '/mypages/paid-products' : '/products'} />}>
              {data.total > 0 ? <Trans>To the first page</Trans> : <Trans>Look around</Trans>}
            </Button>
          }
        >
          <Trans>What you buy or rent stands here, ready to watch.</Trans>
        </EmptyState>
      ) : (
        <PosterGrid>
          {data.items.map((product) => (
            <li key={product.id}>
              <OwnedCard product={product} headingLevel="h2" />
            </li>
          ))}
        </PosterGrid>
      )}
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / productsPerPage)}
          labels={labels}
          linkTo={(page) => <Link to="/mypages/paid-products" search={{ ...search, page }} />}
        />
      </div>
    </>
  )
}
