import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProductCard } from '#contract/catalog.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { usePaginationLabels } from '~/platform/labels'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { Breadcrumbs, SectionHeading } from '~/ui/section-heading'
import { planProductsQuery, trialDaysOf, usePlanLabels } from '../plans.functions'
import styles from './plan-products-page.module.css'

interface Props {
  /** The plan's id or code from the address. */
  planKey: string
  page: number
  grid: (products: readonly ProductCard[]) => ReactNode
}

/** The products of one plan, with a link to subscribe. */
export function PlanProductsPage({ planKey, page, grid }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const labels = usePaginationLabels()
  const { plan, products } = useSuspenseQuery(planProductsQuery(planKey, page)).data
  return (
    <div className={styles.page}>
      <div className={styles.way}>
        <Breadcrumbs label={t`Breadcrumb`}>
          {[
            <Link key="plans" to="/plans">
              <Trans>Plans</Trans>
            </Link>,
            <span key="plan">{storeText(plan, 'name')}</span>,
          ]}
        </Breadcrumbs>
      </div>
      <SectionHeading
        level="h1"
        title={<Trans>Titles in {storeText(plan, 'name')}</Trans>}
        count={products.total > 0 ? format.number(products.total) : undefined}
        text={plan.summary && storeText(plan, 'summary')}
        action={<PlanOffer plan={plan} />}
      />
      {products.items.length === 0 ? (
        <EmptyState
          icon="film"
          title={products.total > 0 ? t`This page is empty.` : t`This plan doesn’t include any titles yet.`}
          actions={
            <Button variant="primary" render={<Link to="/plans" />}>
              <Trans>See all plans</Trans>
            </Button>
          }
        />
      ) : (
        grid(products.items)
      )}
      <div className={styles.pages}>
        <Pagination
          page={products.page}
          pages={Math.ceil(products.total / products.size)}
          labels={labels}
          linkTo={(number) => <Link to="/plans/$id/products" params={{ id: planKey }} search={{ page: number }} />}
        />
      </div>
    </div>
  )
}

/** The plan's price and the next step for this viewer. */
function PlanOffer({ plan }: { plan: Plan }) {
  const planLabels = usePlanLabels()
  return (
    <div className={styles.offer}>
      <p className={styles.price}>{planLabels.price(plan.agreedPrice ?? plan.price, plan.cycle)}</p>
      {plan.relation === 'NONE' && plan.onSale ? (
        <Button variant="primary" render={<Link to="/plans/$id/payment" params={{ id: plan.id }} />}>
          {trialDaysOf(plan) > 0 ? <Trans>Start free trial</Trans> : <Trans>Subscribe</Trans>}
        </Button>
      ) : plan.relation === 'CURRENT' || plan.relation === 'NEXT' ? (
        <Button icon="check" render={<Link to="/mypages/subscription" />}>
          <Trans>View subscription</Trans>
        </Button>
      ) : (
        plan.onSale && (
          <Button
            variant="primary"
            render={<Link to="/mypages/subscription" search={{ step: 'change', plan: plan.id }} preload={false} />}
          >
            <Trans>Switch to this plan</Trans>
          </Button>
        )
      )}
    </div>
  )
}
