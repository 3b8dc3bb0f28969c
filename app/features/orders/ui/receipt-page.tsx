import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Receipt as ReceiptData } from '#contract/billing.ts'
import type { OrderCode } from '#contract/ids.ts'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Icon } from '~/ui/icon'
import { ScriptOnly } from '~/ui/visibility'
import { receiptQuery } from '../orders.functions'
import { PdfLink } from './order-notices'
import styles from './receipt.module.css'

/** The receipt: payer, seller and items. */
function Receipt({ receipt }: { receipt: ReceiptData }) {
  const { t } = useLingui()
  const format = useFormat()
  const { order, buyer, number, issuedAt } = receipt
  const card = order.payment?.card
  const refunded = order.refundedAmount.amount
  const method = card
    ? t`${card.issuer}, ending in ${card.lastFour}`
    : order.method === 'BANK'
      ? t`Bank transfer`
      : null
  const facts = [
    { key: 'number', term: t`Receipt number`, value: leftToRight(number) },
    ...(number === order.code ? [] : [{ key: 'code', term: t`Order number`, value: leftToRight(order.code) }]),
    { key: 'paid', term: t`Payment date`, value: order.paidAt ? format.dateTime(order.paidAt) : '' },
    ...(method ? [{ key: 'method', term: t`Payment method`, value: method }] : []),
    {
      key: 'buyer',
      term: t`Purchased by`,
      value: (
        <>
          {buyer.name && (
            <>
              <bdi>{buyer.name}</bdi>
              <br />
            </>
          )}
          <bdi>{buyer.email}</bdi>
        </>
      ),
    },
    { key: 'refunds', term: t`Refund`, value: refunded > 0 ? t`Refunded` : t`None` },
    { key: 'issued', term: t`Date issued`, value: format.dateTime(issuedAt) },
  ]
  const sums = [
    ...order.items.map((item) => ({
      key: item.id,
      term: item.refunded ? (
        <Trans>
          {storeText(item.product, 'title')}, {storeText(item, 'optionName')} (refunded)
        </Trans>
      ) : (
        <Trans>
          {storeText(item.product, 'title')}, {storeText(item, 'optionName')}
        </Trans>
      ),
      value: format.money(item.price),
    })),
    { key: 'total', term: t`Total (taxes included)`, value: format.money(order.total), total: true },
    ...(refunded > 0
      ? [
          { key: 'refunded', term: t`Refunded`, value: format.money({ ...order.refundedAmount, amount: -refunded }) },
          {
            key: 'kept',
            term: t`Net amount paid`,
            value: format.money({ ...order.total, amount: order.total.amount - refunded }),
            total: true,
          },
        ]
      : []),
  ]
  return (
    <section className={styles.receipt} aria-labelledby="receipt" data-receipt>
      <h1 id="receipt" className={styles.title} tabIndex={-1}>
        <Trans>Receipt</Trans>
      </h1>
      <DescriptionList rows={facts} />
      <hr className={styles.line} />
      <DescriptionList amounts rows={sums} />
      <hr className={styles.line} />
      <Seller seller={receipt.seller} />
    </section>
  )
}

function Seller({ seller }: { seller: ReceiptData['seller'] }) {
  return (
    <address className={styles.seller}>
      <b>
        <bdi>{seller.company ?? seller.name}</bdi>
      </b>
      {seller.representative && <p dir="auto">{seller.representative}</p>}
      {seller.registrationNumber && (
        <p>
          <Trans>Registration number {seller.registrationNumber}</Trans>
        </p>
      )}
      {seller.address && <p dir="auto">{seller.address}</p>}
      {seller.phone && (
        <p>
          <bdi dir="ltr">{seller.phone}</bdi>
        </p>
      )}
      {seller.email && (
        <p>
          <bdi dir="ltr">{seller.email}</bdi>
        </p>
      )}
    </address>
  )
}

/** The receipt. Printing the page prints only this part. */
export function ReceiptPage({ code }: { code: OrderCode }) {
  const { data: receipt } = useSuspenseQuery(receiptQuery(code))
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Link className={styles.back} to="/mypages/order-histories/$code" params={{ code }}>
          <Icon name="arrow-start" size="s" />
          <Trans>Order {leftToRight(code)}</Trans>
        </Link>
        <div className={styles.actions}>
          <ScriptOnly>
            <Button icon="receipt" onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
          </ScriptOnly>
          <PdfLink code={code} />
        </div>
      </header>
      <Receipt receipt={receipt} />
    </div>
  )
}
