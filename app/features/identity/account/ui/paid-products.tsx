import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type SortOption, sortOption } from '#contract/enumerations.ts'
import { useFormat } from '~/platform/format/use-format'
import { usePaginationLabels } from '~/platform/labels'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { PosterGrid } from '~/ui/poster-grid'
import { SectionHeading } from '~/ui/section-heading'
import { Select } from '~/ui/select'
import { type PaidProductsSearch, paidProductsQuery, productsPerPage } from '../account.functions'
import { OwnedCard } from './owned-card'
import styles from './product-list.module.css'

/** All products that the member may watch or download, and until when. */
export function PaidProducts({ search }: { search: PaidProductsSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const navigate = useNavigate()
  const labels = usePaginationLabels()
  const { data } = useSuspenseQuery(paidProductsQuery(search))
  const sorts: { value: SortOption | ''; label: string }[] = [
    { value: '', label: t`Recently purchased` },
    { value: 'createdAt,DESC', label: t`Newest releases` },
    { value: 'countOfPlays,DESC', label: t({ message: 'Most watched', context: 'sort' }) },
    { value: 'duration,ASC', label: t`Shortest first` },
    { value: 'duration,DESC', label: t`Longest first` },
  ]

  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>Purchases</Trans>}
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
          title={data.total > 0 ? t`This page is empty.` : t`No purchases yet`}
          actions={
            <Button variant="primary" render={<Link to={data.total > 0 ? '/mypages/paid-products' : '/products'} />}>
              {data.total > 0 ? <Trans>Go to the first page</Trans> : <Trans>Browse the store</Trans>}
            </Button>
          }
        >
          <Trans>Titles you buy or rent appear here, ready to watch.</Trans>
        </EmptyState>
      ) : (
        <PosterGrid>
          {data.items.map((product) => (
            <li key={product.id}>
              <OwnedCard product={product} now={data.now} headingLevel="h2" />
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
