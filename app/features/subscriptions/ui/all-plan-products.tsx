import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProductCard } from '#contract/catalog.ts'
import type { Page } from '#contract/paging.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { usePaginationLabels } from '~/platform/labels'
import { Button } from '~/ui/button'
import { Chip, Chips } from '~/ui/chip'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { SectionHeading } from '~/ui/section-heading'
import { planProductsQuery, planSectionsQuery, usePlanLabels } from '../plans.functions'
import type { AllPlanProductsSearch } from '../plans.search'
import styles from './plan-products-page.module.css'

interface Props {
  search: AllPlanProductsSearch
  grid: (products: readonly ProductCard[]) => ReactNode
  rail: (title: ReactNode, products: readonly ProductCard[], all: ReactNode) => ReactNode
}

/** The products of all plans in sections, or all products of one plan. */
export function AllPlanProducts({ search, grid, rail }: Props) {
  const { t } = useLingui()
  const { items: sections } = useSuspenseQuery(planSectionsQuery).data
  return (
    <div className={styles.page}>
      <SectionHeading
        level="h1"
        title={<Trans>All plan titles</Trans>}
        text={<Trans>Browse the titles included in each plan.</Trans>}
        action={
          <Button icon="sparkle" render={<Link to="/plans" />}>
            <Trans>Compare plans</Trans>
          </Button>
        }
      />
      {sections.length > 1 && (
        <nav className={styles.filter} aria-label={t`Plans`}>
          <Chips>
            <Chip
              selected={!search.plan}
              render={<Link to="/plans/plan-products" resetScroll={false} activeOptions={{ exact: true }} />}
            >
              <Trans>All plans</Trans>
            </Chip>
            {sections.map(({ plan, products }) => (
              <Chip
                key={plan.id}
                selected={search.plan === plan.id}
                count={products.total}
                render={<Link to="/plans/plan-products" search={{ plan: plan.id }} resetScroll={false} />}
              >
                {storeText(plan, 'name')}
              </Chip>
            ))}
          </Chips>
        </nav>
      )}
      {search.plan ? (
        <OnePlan plan={search.plan} page={search.page} grid={grid} />
      ) : (
        <PlanSections sections={sections} rail={rail} />
      )}
    </div>
  )
}

interface PlanSection {
  plan: Plan
  products: Page<ProductCard>
}

/** Joins plans with the same products, such as the monthly and the yearly one, into one section. */
function mergeEqualPlans(sections: readonly PlanSection[]): { plans: Plan[]; products: Page<ProductCard> }[] {
  const byContent = Map.groupBy(
    sections.filter(({ products }) => products.total > 0),
    ({ products }) => [products.total, ...products.items.map(({ id }) => id)].join(' '),
  )
  return [...byContent.values()].flatMap((same) =>
    same[0] ? [{ plans: same.map(({ plan }) => plan), products: same[0].products }] : [],
  )
}

function PlanSections({ sections, rail }: Pick<Props, 'rail'> & { sections: readonly PlanSection[] }) {
  const { t, i18n } = useLingui()
  const planLabels = usePlanLabels()
  const full = mergeEqualPlans(sections)
  if (full.length === 0) {
    return (
      <EmptyState
        icon="film"
        title={t`No titles are included in a plan right now.`}
        actions={
          <Button variant="primary" render={<Link to="/products" />}>
            <Trans>Browse the store</Trans>
          </Button>
        }
      />
    )
  }
  const names = new Intl.ListFormat(i18n.locale, { type: 'disjunction' })
  return (
    <div className={styles.sections}>
      {full.map(({ plans: [first, ...others], products }) =>
        first ? (
          <div key={first.id}>
            {rail(
              others.length > 0 ? (
                names.format([first, ...others].map(({ name }) => name))
              ) : (
                <Trans>
                  {first.name}, {planLabels.price(first.price, first.cycle)}
                </Trans>
              ),
              products.items,
              <Button
                size="s"
                variant="ghost"
                iconEnd="chevron-end"
                render={<Link to="/plans/$id/products" params={{ id: first.id }} />}
              >
                <Trans>See all {products.total}</Trans>
              </Button>,
            )}
          </div>
        ) : null,
      )}
    </div>
  )
}

function OnePlan({ plan, page, grid }: { plan: string; page: number; grid: Props['grid'] }) {
  const { t } = useLingui()
  const format = useFormat()
  const labels = usePaginationLabels()
  const { data } = useSuspenseQuery(planProductsQuery(plan, page))
  const { products } = data
  return (
    <>
      <p className={styles.count} role="status">
        <Trans>
          {format.number(products.total)} with {storeText(data.plan, 'name')}
        </Trans>
      </p>
      {products.items.length === 0 ? <EmptyState icon="film" title={t`This page is empty.`} /> : grid(products.items)}
      <div className={styles.pages}>
        <Pagination
          page={products.page}
          pages={Math.ceil(products.total / products.size)}
          labels={labels}
          linkTo={(number) => <Link to="/plans/plan-products" search={{ plan: data.plan.id, page: number }} />}
        />
      </div>
    </>
  )
}
