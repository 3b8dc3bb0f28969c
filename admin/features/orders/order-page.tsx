import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreOrder } from '#contract/admin/orders.ts'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMailNotice, useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { History } from '../../ui/history'
import { paymentMethods, recordedMethods } from '../../ui/order-labels'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { ProductLink } from '../../ui/product-link'
import { Rows } from '../../ui/rows'
import { CancelDialog } from './cancel-dialog'
import { MoneyTimeline } from './money-timeline'
import styles from './order-page.module.css'
import { OrderStatus } from './order-status'
import { orderQuery } from './orders.queries'
import { ReceiveDialog } from './receive-dialog'
import { RefundDialog } from './refund-dialog'
import { isManual, RefundRequest } from './refund-request'
import { UndoDialog } from './undo-dialog'

const route = getRouteApi('/orders/$code')

function Items({ order }: { order: StoreOrder }) {
  const { t } = useLingui()
  const { money, date } = useFormat()
  return (
    <Section title={<Trans>Titles</Trans>}>
      <Rows
        items={order.items.map((item) => ({
          key: item.id,
          title: <ProductLink code={item.productCode} title={item.title} />,
          detail: [item.option, item.openedAt ? t`Opened on ${date(item.openedAt)}` : t`Not opened`].join(' · '),
          end: (
            <>
              {item.refundedAt ? (
                <Badge>{order.complimentary ? <Trans>Revoked</Trans> : <Trans>Refunded</Trans>}</Badge>
              ) : (
                item.refundedPart.amount > 0 && <Badge>{t`Refunded ${money(item.refundedPart)}`}</Badge>
              )}
              {money(item.price)}
            </>
          ),
        }))}
      />
    </Section>
  )
}

function Facts({ order }: { order: StoreOrder }) {
  const { t, i18n } = useLingui()
  const { money, dateTime } = useFormat()
  const may = useMay()
  const { member, method, paidAt, depositDeadline } = order
  const deadline = order.status === 'DEPOSIT_WAITING' ? depositDeadline : null
  return (
    <Section title={<Trans>Order</Trans>}>
      <DescriptionList
        rows={[
          {
            key: 'member',
            term: t`Member`,
            value: !member ? (
              t`Account deleted`
            ) : may('members:read') ? (
              <Link to="/members/$id" params={{ id: member.id }} className={styles.link}>
                <bdi>{member.email}</bdi>
              </Link>
            ) : (
              <bdi>{member.email}</bdi>
            ),
          },
          { key: 'placed', term: t`Placed`, value: dateTime(order.createdAt) },
          ...(paidAt ? [{ key: 'paid', term: t`Paid`, value: dateTime(paidAt) }] : []),
          ...(deadline ? [{ key: 'deadline', term: t`Deposit until`, value: dateTime(deadline) }] : []),
          ...(method && !order.complimentary
            ? [
                {
                  key: 'method',
                  term: t`Payment method`,
                  value: i18n._(order.recordedAs ? recordedMethods[order.recordedAs] : paymentMethods[method]),
                },
              ]
            : []),
          { key: 'total', term: t`Total`, value: money(order.total) },
          ...(order.refunded.amount > 0 ? [{ key: 'refunded', term: t`Refunded`, value: money(order.refunded) }] : []),
        ]}
      />
      {member && (
        <Button size="s" render={<Link to="/orders" search={{ memberId: member.id }} />}>
          <Trans>All orders of this member</Trans>
        </Button>
      )}
    </Section>
  )
}

function OrderDetail({ order }: { order: StoreOrder }) {
  const { t } = useLingui()
  const may = useMay()
  const api = useAdminApi()
  const [isRefunding, setRefunding] = useState(false)
  const [isReceiving, setReceiving] = useState(false)
  const [isUndoing, setUndoing] = useState(false)
  const [isCancelling, setCancelling] = useState(false)
  const { code, status } = order
  const note = useWrite((text: string) => api.admin.orders.addNote({ code, text }), {
    done: t`Note added`,
    changes: [['order', code]],
  })
  const mailNotice = useMailNotice()
  const receipt = useWrite(() => api.admin.orders.sendReceipt({ code }), {
    done: mailNotice(t`Receipt queued`),
    changes: [['order', code], ['mails']],
    notifiesFailure: true,
  })
  const isPaid = order.paidAt !== null && order.items.some(({ refundedAt }) => refundedAt === null)
  const isUndoable =
    status === 'PAYMENT_COMPLETE' && isManual(order) && !order.recordedAs && order.refunded.amount === 0
  const isRefundable = may('refunds:write') && isPaid && status === 'PAYMENT_COMPLETE'
  return (
    <Page
      title={code}
      badge={<OrderStatus order={order} />}
      actions={
        <>
          {status === 'DEPOSIT_WAITING' && may('deposits:write') && (
            <Button onClick={() => setReceiving(true)}>
              <Trans>Mark as paid</Trans>
            </Button>
          )}
          {status === 'DEPOSIT_WAITING' && may('orders:write') && (
            <Button variant="ghost" onClick={() => setCancelling(true)}>
              <Trans>Cancel order</Trans>
            </Button>
          )}
          {isUndoable && may('deposits:write') && (
            <Button variant="ghost" onClick={() => setUndoing(true)}>
              <Trans>Undo payment</Trans>
            </Button>
          )}
          {isPaid && order.member && may('orders:write') && (
            <Button variant="ghost" loading={receipt.isPending} onClick={() => receipt.send(undefined)}>
              <Trans>Send receipt again</Trans>
            </Button>
          )}
          {isRefundable && (
            <Button onClick={() => setRefunding(true)}>
              {order.total.amount > 0 ? <Trans>Refund</Trans> : <Trans>Revoke</Trans>}
            </Button>
          )}
        </>
      }
    >
      <RefundRequest order={order} />
      <Columns aside={<Facts order={order} />}>
        <Items order={order} />
        <MoneyTimeline order={order} />
        <History entries={order.history} note={may('orders:write') ? note : undefined} />
      </Columns>
      {isReceiving && <ReceiveDialog code={code} onClose={() => setReceiving(false)} />}
      {isCancelling && <CancelDialog order={order} onClose={() => setCancelling(false)} />}
      {isUndoing && <UndoDialog code={code} onClose={() => setUndoing(false)} />}
      {isRefunding && <RefundDialog order={order} onClose={() => setRefunding(false)} />}
    </Page>
  )
}

/** An order with its titles, its money, and what operators did about it. */
export function OrderPage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const order = useQuery(orderQuery(useAdminApi(), code))
  return (
    <LoadedPage title={t`Order`} query={order}>
      {(data) => <OrderDetail order={data} />}
    </LoadedPage>
  )
}
