import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { MemberSubscription, PlanChangeQuote } from '#contract/admin/subscriptions.ts'
import type { PlanId } from '#contract/ids.ts'
import { RadioGroup } from '~/ui/choice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { notify } from '../../platform/notifications'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { Loaded } from '../../ui/states'
import { MemberDialog } from './member-dialog'
import { planQuoteQuery } from './members.queries'
import type { SubscriptionDialogProps } from './subscription-dialogs'

type When = 'RENEWAL' | 'NOW'
type Now = NonNullable<PlanChangeQuote['now']>

const usePriceText = () => {
  const { t } = useLingui()
  const { money } = useFormat()
  return ({ price, cycle }: Pick<MemberSubscription['current'] & object, 'price' | 'cycle'>) =>
    cycle === 'YEAR' ? t`${money(price)} a year` : t`${money(price)} a month`
}

/** What a change now does to the member's money. */
function NowText({ now: { credit, charge, refund, nextCharge } }: { now: Now }) {
  const { money, date } = useFormat()
  return (
    <>
      {charge.amount > 0 && <Trans>{money(charge)} is charged now.</Trans>}
      {refund.amount > 0 && <Trans>{money(refund)} is refunded now.</Trans>}
      {charge.amount === 0 && refund.amount === 0 && <Trans>Nothing is charged now.</Trans>}{' '}
      {credit.amount > 0 && <Trans>Credit for the unused time: {money(credit)}.</Trans>}{' '}
      <Trans>
        Next payment: {money(nextCharge.amount)} on {date(nextCharge.at)}.
      </Trans>
    </>
  )
}

interface WhenFieldProps {
  quote: PlanChangeQuote
  when: When
  onChange: (when: When) => void
}

function WhenField({ quote: { atRenewal, now }, when, onChange }: WhenFieldProps) {
  const { t } = useLingui()
  const { money, date } = useFormat()
  const may = useMay()
  const price = money(atRenewal.amount)
  return (
    <RadioGroup
      legend={t`When`}
      name="when"
      value={when}
      onValueChange={onChange}
      required
      options={[
        {
          value: 'RENEWAL',
          label: t`At the next renewal`,
          hint: atRenewal.at
            ? t`${price} is charged on ${date(atRenewal.at)}, and nothing now.`
            : t`${price} is charged when the subscription resumes, and nothing now.`,
          disabled: !may('members:write'),
        },
        {
          value: 'NOW',
          label: t`Now`,
          hint: now ? <NowText now={now} /> : t`Not possible at present.`,
          disabled: !now || !may('refunds:write'),
        },
      ]}
    />
  )
}

/** Names what happens to the member's money. */
function ActionText({ when, now }: { when: When; now: Now | null | undefined }): ReactNode {
  const { money } = useFormat()
  if (when === 'NOW' && now && now.charge.amount > 0) return <Trans>Change and charge {money(now.charge)}</Trans>
  if (when === 'NOW' && now && now.refund.amount > 0) return <Trans>Change and refund {money(now.refund)}</Trans>
  return <Trans>Change the plan</Trans>
}

/** Changes the plan of a subscription at its next renewal, or now with its charge or refund. */
export function PlanChangeDialog({ id, subscription, onClose }: SubscriptionDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const may = useMay()
  const priceText = usePriceText()
  const queryClient = useQueryClient()
  const { version, plan, planId, nextPlan, otherPlans } = subscription
  const present = nextPlan && may('members:write') ? [{ value: planId, label: t`Keep ${plan}` }] : []
  const choices = [
    ...present,
    ...otherPlans.map((other) => {
      const text = `${other.name} · ${priceText(other)}`
      return { value: other.id, label: other.onSale ? text : t`${text} (not on sale)` }
    }),
  ]
  const [chosen, choose] = useState<PlanId | undefined>()
  const [wanted, setWhen] = useState<When>(may('members:write') ? 'RENEWAL' : 'NOW')
  const isUnchanged = chosen === planId
  const query = useQuery(planQuoteQuery(api, id, isUnchanged ? undefined : chosen))
  const now = query.data?.now
  const when: When = wanted === 'NOW' && now ? 'NOW' : 'RENEWAL'
  const write = useWrite(
    async ({ reason = '' }: Texts) => {
      const context = { context: { ifMatch: version } }
      if (chosen === undefined) return null
      if (when !== 'NOW' || !now || isUnchanged) {
        await api.admin.members.changePlan({ id, planId: chosen, reason }, context)
        return null
      }
      return await api.admin.members
        .changePlanNow({ id, quoteId: now.id, reason }, context)
        .catch(async (error: unknown) => {
          // Its price may have expired or been used.
          await queryClient.invalidateQueries({ queryKey: ['plan-quote', id] })
          throw error
        })
    },
    {
      changes: [['member', id], ['members'], ['subscriptions']],
      onDone: (answer) => {
        notify(
          'success',
          answer?.step === 'ACCEPT' ? t`The refund has begun. The provider will confirm it.` : t`Plan change saved`,
        )
      },
      onClose,
    },
  )
  return (
    <MemberDialog
      title={<Trans>Change the plan</Trans>}
      action={<ActionText when={when} now={isUnchanged ? null : now} />}
      write={write}
      changed={['member', id]}
      isDisabled={chosen === undefined || (!isUnchanged && (!query.data || (wanted === 'NOW' && !now)))}
      onClose={onClose}
    >
      <Select
        label={t`Plan`}
        name="plan"
        required
        value={chosen ?? ''}
        options={[{ value: '', label: t`Choose a plan`, disabled: true }, ...choices]}
        onChange={({ target }) => choose(choices.find(({ value }) => value === target.value)?.value)}
        error={write.failure?.fields.planId}
      />
      {isUnchanged && (
        <p>
          <Trans>The planned change is canceled.</Trans>
        </p>
      )}
      {chosen !== undefined && !isUnchanged && (
        <Loaded query={query}>{(quote) => quote && <WhenField quote={quote} when={when} onChange={setWhen} />}</Loaded>
      )}
      <p>
        <Trans>The member gets an email.</Trans>
      </p>
    </MemberDialog>
  )
}
