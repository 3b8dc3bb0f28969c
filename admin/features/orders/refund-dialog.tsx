import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { StoreOrder } from '#contract/admin/orders.ts'
import type { OrderItemId } from '#contract/ids.ts'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'

const reasons = {
  NOT_PAID: msg`The order is not paid.`,
  ALL_OPENED: msg`All titles were opened.`,
  TOO_LATE: msg`The period for refunds is over.`,
  UNDER_WAY: msg`A refund is under way.`,
  DONE: msg`Everything is refunded.`,
} as const

/** What the store's rule gives the member now. */
function Rule({ rule }: { rule: StoreOrder['rule'] }) {
  const { i18n } = useLingui()
  const { money, dateTime } = useFormat()
  return (
    <Notice>
      {rule.itemIds.length > 0 ? (
        <Trans>The refund rule gives {money(rule.amount)}.</Trans>
      ) : (
        <Trans>The refund rule gives nothing.</Trans>
      )}{' '}
      {rule.why && i18n._(reasons[rule.why])}
      {rule.until && <Trans>Until {dateTime(rule.until)}.</Trans>}
    </Notice>
  )
}

interface RefundDialogProps {
  order: StoreOrder
  onClose: () => void
}

/** Refunds the order or some of its titles, within the rule or, once confirmed, against it. */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const api = useAdminApi()
  const { code, rule } = order
  const refundable = order.items.filter(({ refundedAt }) => refundedAt === null)
  const [ticked, setTicked] = useState<readonly OrderItemId[]>(() =>
    rule.itemIds.length > 0 ? rule.itemIds : refundable.map(({ id }) => id),
  )
  // Others may have refunded some of them meanwhile.
  const chosen = refundable.map(({ id }) => id).filter((id) => ticked.includes(id))
  const [overrides, setOverrides] = useState(false)
  const steps = {
    REFUND: t`Refunded`,
    ACCEPT: t`The refund has begun. The provider will confirm it.`,
    ACCOUNT: t`The member is asked for a bank account.`,
  } as const
  const refund = useWrite(
    (reason: string) =>
      api.admin.orders.refund(
        { code, itemIds: chosen, reason, overridesRule: overrides },
        { context: { ifMatch: order.version } },
      ),
    {
      changes: [['order', code], ['orders'], ['home']],
      onDone: ({ step }) => {
        notify('success', steps[step])
        onClose()
      },
    },
  )
  const amount = refundable.filter(({ id }) => ticked.includes(id)).reduce((sum, { price }) => sum + price.amount, 0)
  const isAgainstRule = refund.failure?.code === 'REFUND_AGAINST_RULE'
  const isChosenByRule = chosen.length === rule.itemIds.length && chosen.every((id) => rule.itemIds.includes(id))
  const shown = isChosenByRule ? rule.amount : { amount, currency: order.total.currency }
  return (
    <FormDialog
      title={<Trans>Refund {code}</Trans>}
      action={<Trans>Refund {money(shown)}</Trans>}
      variant="danger"
      isPending={refund.isPending}
      isDisabled={chosen.length === 0 || (isAgainstRule && !overrides)}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(({ reason = '' }) => refund.send(reason))}>
          <Rule rule={rule} />
          <fieldset className={form.form}>
            <legend>
              <Trans>Titles</Trans>
            </legend>
            {refundable.map(({ id, title, price }) => (
              <Checkbox
                key={id}
                label={
                  <>
                    <bdi>{title}</bdi> · {money(price)}
                  </>
                }
                checked={chosen.includes(id)}
                onChange={({ target }) => {
                  setTicked(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                  refund.reset()
                }}
              />
            ))}
          </fieldset>
          <ReasonField failure={refund.failure} />
          <WriteRefusal failure={refund.failure} queryKey={['order', code]} />
          {(isAgainstRule || overrides) && (
            <Checkbox
              label={t`Refund against the rule`}
              checked={overrides}
              onChange={({ target }) => setOverrides(target.checked)}
            />
          )}
        </form>
      )}
    </FormDialog>
  )
}
