import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { MemberSubscription } from '#contract/admin/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { amountOf, isAmountIn, MoneyField, typedAmount } from '../../ui/money-field'
import { MemberDialog } from './member-dialog'

interface ChargeRefundDialogProps {
  id: MemberId
  charge: MemberSubscription['charges'][number]
  onClose: () => void
}

/** Refunds a payment of a subscription, or a part of it. The subscription continues. */
export function ChargeRefundDialog({ id, charge, onClose }: ChargeRefundDialogProps) {
  const { t } = useLingui()
  const { money, date } = useFormat()
  const { members } = useAdminApi().admin
  const { refundable, rule, version } = charge
  const { currency } = refundable
  const [typed, setTyped] = useState(() => typedAmount(rule.amount > 0 ? rule.amount : refundable.amount, currency))
  const [overrides, setOverrides] = useState(false)
  const isValid = isAmountIn(typed, currency, [1, refundable.amount])
  const amount = amountOf(typed, currency)
  const refund = useWrite(
    ({ reason = '' }: Texts) =>
      members.refundCharge(
        { id, chargeId: charge.id, amount, reason, overridesRule: overrides },
        { context: { ifMatch: version } },
      ),
    {
      changes: [['member', id], ['home']],
      onDone: ({ step }) => {
        notify('success', step === 'REFUND' ? t`Refunded` : t`The refund has begun. The provider will confirm it.`)
      },
      onClose,
    },
  )
  const isAgainstRule = refund.failure?.code === 'REFUND_AGAINST_RULE'
  const [lowest, highest] = [money({ amount: 1, currency }), money(refundable)]
  const shown = money({ amount, currency })
  return (
    <MemberDialog
      title={<Trans>Refund the payment of {date(charge.at)}</Trans>}
      action={isValid ? <Trans>Refund {shown}</Trans> : <Trans>Refund</Trans>}
      write={refund}
      changed={['member', id]}
      danger
      isDisabled={!isValid || (isAgainstRule && !overrides)}
      onClose={onClose}
    >
      <Notice>
        {rule.amount > 0 ? (
          <Trans>The refund rule gives {money(rule)}: the unused share of the paid period.</Trans>
        ) : (
          <Trans>The refund rule gives nothing.</Trans>
        )}
      </Notice>
      <p>
        <Trans>The subscription continues. The member gets an email.</Trans>
      </p>
      <MoneyField
        currency={currency}
        label={t`Amount`}
        min={typedAmount(1, currency)}
        max={typedAmount(refundable.amount, currency)}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          if (isAgainstRule) refund.reset()
        }}
        required
        error={isValid ? refund.failure?.fields.amount : t`Enter an amount from ${lowest} to ${highest}.`}
      />
      {(isAgainstRule || overrides) && (
        <Checkbox
          label={t`Refund against the rule`}
          checked={overrides}
          onChange={({ target }) => setOverrides(target.checked)}
        />
      )}
    </MemberDialog>
  )
}
