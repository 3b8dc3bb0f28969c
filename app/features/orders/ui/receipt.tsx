import { Trans, useLingui } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'
import { siteName } from '~/platform/document/head'
import { leftToRight } from '~/platform/format/left-to-right'
import { useFormat } from '~/platform/format/use-format'
import { useMe, useSiteSettings } from '~/platform/shell/shell.queries'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/description-list'
import { useHydrated } from '../use-hydrated'
import styles from './receipt.module.css'

/** The receipt. Printing the page prints this alone. */
export function Receipt({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  const settings = useSiteSettings()
  const member = useMe()
  const hydrated = useHydrated()
  const { business } = settings
  const card = order.payment?.card
  const refunded = order.refundedAmount.amount > 0
  const facts = [
    { key: 'code', term: t`Order`, value: leftToRight(order.code) },
    { key: 'paid', term: t`Paid on`, value: order.paidAt ? format.dateTime(order.paidAt) : '' },
    ...(member ? [{ key: 'buyer', term: t`Bought by`, value: `${member.name} <${member.email}>` }] : []),
    ...(card ? [{ key: 'card', term: t`Paid with`, value: t`${card.issuer}, ending in ${card.lastFour}` }] : []),
  ]
  const sums = [
    ...order.items.map((item) => ({
      key: item.id,
      term: `${item.product.title}, ${item.optionName}`,
      value: format.money(item.price),
    })),
    { key: 'total', term: t`Total, taxes included`, value: format.money(order.total), total: true },
    ...(refunded
      ? [
          {
            key: 'refunded',
            term: t`Refunded`,
            value: format.money({ ...order.refundedAmount, amount: -order.refundedAmount.amount }),
          },
        ]
      : []),
  ]
  return (
    <section className={styles.receipt} aria-labelledby="receipt" data-receipt>
      <div className={styles.head}>
        <h2 id="receipt" className={styles.title}>
          <Trans>Receipt</Trans>
        </h2>
        {hydrated && (
          <Button size="s" className={styles.print} onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        )}
      </div>
      <DescriptionList rows={facts} />
      <hr className={styles.line} />
      <DescriptionList amounts rows={sums} />
      <hr className={styles.line} />
      <address className={styles.seller}>
        <b>{business.company ?? siteName(settings)}</b>
        {business.representative && <span>{business.representative}</span>}
        {business.registrationNumber && (
          <span>
            <Trans>Registration number {business.registrationNumber}</Trans>
          </span>
        )}
        {business.address && <span>{business.address}</span>}
        {business.phone && <span dir="ltr">{business.phone}</span>}
        {business.email && <span>{business.email}</span>}
      </address>
    </section>
  )
}
