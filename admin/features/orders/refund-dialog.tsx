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
import { amountOf, isAmountIn, MoneyField, typedAmount } from '../../ui/money-field'
import { ReturnByHand } from './refund-request'

const reasons = {
  NOT_PAID: msg`The order is not paid.`,
  ALL_OPENED: msg`All titles were opened.`,
  TOO_LATE: msg`The period for refunds is over.`,
  UNDER_WAY: msg`A refund is under way.`,
  DONE: msg`Everything is refunded.`,
} as const

/** What the store's rule gives the member now of the chosen titles. */
function Rule({ rule, items }: { rule: StoreOrder['rule']; items: readonly Item[] }) {
  const { i18n } = useLingui()
  const { money, dateTime } = useFormat()
  const amount = items.filter(({ id }) => rule.itemIds.includes(id)).reduce((sum, item) => sum + leftOf(item), 0)
  return (
    <Notice>
      {amount > 0 ? (
        <Trans>The refund rule gives {money({ ...rule.amount, amount })} for the chosen titles.</Trans>
      ) : (
        <Trans>The refund rule gives nothing for the chosen titles.</Trans>
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

type Item = StoreOrder['items'][number]

const leftOf = ({ price, refundedPart }: Item): number => price.amount - refundedPart.amount

interface TitlesProps {
  items: readonly Item[]
  chosen: readonly OrderItemId[]
  onChoose: (ids: readonly OrderItemId[]) => void
}

/** The titles to refund, each with what is left of its price. */
function Titles({ items, chosen, onChoose }: TitlesProps) {
  const { money } = useFormat()
  return (
    <fieldset className={form.form}>
      <legend>
        <Trans>Titles</Trans>
      </legend>
      {items.map((item) => (
        <Checkbox
          key={item.id}
          label={
            <>
              <bdi>{item.title}</bdi> · {money({ ...item.price, amount: leftOf(item) })}
            </>
          }
          checked={chosen.includes(item.id)}
          onChange={({ target }) =>
            onChoose(target.checked ? [...chosen, item.id] : chosen.filter((each) => each !== item.id))
          }
        />
      ))}
    </fieldset>
  )
}

/**
 * Refunds the order, some of its titles or a part of the price of one. An order that cost nothing
 * is revoked.
 */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const api = useAdminApi()
  const { code, rule } = order
  const { currency, amount: total } = order.total
  const isGift = total === 0
  const refundable = order.items.filter(({ refundedAt }) => refundedAt === null)
  const [ticked, setTicked] = useState<readonly OrderItemId[]>(() =>
    rule.itemIds.length > 0 ? rule.itemIds : refundable.map(({ id }) => id),
  )
  // Others may have refunded some of them meanwhile.
  const items = refundable.filter(({ id }) => ticked.includes(id))
  const chosen = items.map(({ id }) => id)
  const highest = items.reduce((sum, item) => sum + leftOf(item), 0)
  const [typed, setTyped] = useState<string>()
  const [overrides, setOverrides] = useState(false)
  const hasAmount = items.length === 1 && !isGift
  const amount = hasAmount && typed !== undefined ? amountOf(typed, currency) : highest
  const steps = {
    REFUND: isGift ? t`Revoked` : t`Refunded`,
    ACCEPT: t`The refund has begun. The provider will confirm it.`,
    ACCOUNT: t`The member is asked for a bank account.`,
  } as const
  const refund = useWrite(
    (reason: string) =>
      api.admin.orders.refund(
        { code, itemIds: [...chosen], reason, overridesRule: overrides, ...(amount < highest && { amount }) },
        { context: { ifMatch: order.version } },
      ),
    {
      changes: [['order', code], ['orders'], ['home']],
      onDone: ({ step }) => {
        notify('success', steps[step])
      },
      onClose,
    },
  )
  const isBeyond = !isGift && items.some(({ id }) => !rule.itemIds.includes(id))
  const isAgainstRule = isBeyond || refund.failure?.code === 'REFUND_AGAINST_RULE'
  const isValid = !hasAmount || typed === undefined || isAmountIn(typed, currency, [1, highest])
  const shown = money({ amount, currency })
  const [lowestAmount, highestAmount] = [money({ amount: 1, currency }), money({ amount: highest, currency })]
  return (
    <FormDialog
      title={isGift ? <Trans>Revoke {code}?</Trans> : <Trans>Refund {code}</Trans>}
      action={isGift ? <Trans>Revoke</Trans> : isValid ? <Trans>Refund {shown}</Trans> : <Trans>Refund</Trans>}
      variant="danger"
      writes={[refund]}
      isDisabled={chosen.length === 0 || (isAgainstRule && !overrides)}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(({ reason = '' }) => refund.send(reason))}>
          {isGift ? (
            <p>
              <Trans>The member can no longer watch or download the titles, also where one is playing now.</Trans>
            </p>
          ) : (
            <Rule rule={rule} items={items} />
          )}
          <Titles
            items={refundable}
            chosen={chosen}
            onChoose={(ids) => {
              setTicked(ids)
              setTyped(undefined)
              refund.reset()
            }}
          />
          {hasAmount && (
            <MoneyField
              currency={currency}
              label={t`Amount`}
              hint={
                !isValid
                  ? undefined
                  : amount < highest
                    ? t`The member keeps the title.`
                    : t`With all that is left of its price, the member loses the title.`
              }
              min={typedAmount(1, currency)}
              max={typedAmount(highest, currency)}
              value={typed ?? typedAmount(highest, currency)}
              onChange={({ target }) => setTyped(target.value)}
              required
              error={
                isValid ? refund.failure?.fields.amount : t`Enter an amount from ${lowestAmount} to ${highestAmount}.`
              }
            />
          )}
          {!isGift && isValid && chosen.length > 0 && <ReturnByHand order={order} amount={{ amount, currency }} />}
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
