import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MoneyToReturn } from '#contract/admin/deposits.ts'
import { orderCode } from '#contract/ids.ts'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useSettled } from '../../platform/use-settled'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { Loaded } from '../../ui/states'
import { depositChanges, depositsQuery } from './deposits.queries'
import { orderQuery } from './orders.queries'

/** Milliseconds after the last key until orders are searched. */
const pause = 300
const choiceSize = 50

type Payment = MoneyToReturn['unapplied'][number]

/** The waiting orders that a search finds, those of the member and of the same amount first. */
const useChoices = ({ member, amount }: Payment, q: string) => {
  const api = useAdminApi()
  const isSearched = q !== ''
  const email = member?.email ?? ''
  const own = useQuery({ ...depositsQuery(api, { q: email, size: choiceSize }), enabled: email !== '' && !isSearched })
  const found = useQuery({
    ...depositsQuery(api, { q: q || undefined, size: choiceSize }),
    placeholderData: keepPreviousData,
  })
  const items = [...(isSearched ? [] : (own.data?.items ?? [])), ...(found.data?.items ?? [])]
  const waiting = [...new Map(items.map((each) => [each.code, each])).values()]
  const score = (each: (typeof waiting)[number]) =>
    Number(each.member !== null && each.member.id === member?.id) * 2 + Number(each.total.amount === amount.amount)
  const sorted = waiting
    .filter(({ total }) => total.currency === amount.currency)
    .toSorted((one, other) => score(other) - score(one))
  const [best] = sorted
  return {
    found,
    isSettled: !own.isLoading && !found.isPlaceholderData,
    sorted,
    // Nobody is to use a payment for an order of somebody else by one press.
    likely: best && score(best) > 0 ? best.code : undefined,
  }
}

interface MatchDialogProps {
  payment: Payment
  onClose: () => void
}

/** Uses an unapplied payment for an order that waits for a deposit. */
export function MatchDialog({ payment, onClose }: MatchDialogProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const { id, amount, code: source } = payment
  const [q, setQ] = useState('')
  const { found, isSettled, sorted, likely } = useChoices(payment, useSettled(q.trim(), pause))
  const [chosen, setChosen] = useState<string>()
  const code = orderCode.safeParse(sorted.find((each) => each.code === chosen)?.code ?? likely).data
  const order = useQuery({ ...orderQuery(api, code ?? source), enabled: code !== undefined })
  const isOther = code !== undefined && order.data !== undefined && order.data.total.amount !== amount.amount
  const match = useWrite(
    ({ reason }: Texts) => {
      if (!order.data) throw new Error('The order is not loaded')
      return api.admin.deposits.match(
        { id, code: order.data.code, ...(reason && { reason }) },
        { context: { ifMatch: order.data.version, idempotencyKey } },
      )
    },
    { done: t`The order is paid`, changes: depositChanges, onClose },
  )
  return (
    <FormDialog
      title={<Trans>Use {money(amount)} for an order</Trans>}
      action={<Trans>Use for this order</Trans>}
      writes={[match]}
      isDisabled={code === undefined || !order.data || !isSettled}
      onClose={onClose}
    >
      {(formId) => (
        <Loaded query={found}>
          {({ items }) =>
            items.length === 0 && q === '' ? (
              <EmptyState icon="search" compact headingLevel="h3" title={<Trans>No order waits for a deposit</Trans>} />
            ) : (
              <form id={formId} className={form.form} onSubmit={onSubmit((texts) => match.send(texts))}>
                <p>
                  <Trans>The payment arrived for {source}.</Trans>
                </p>
                <TextField
                  label={t`Find an order: number, name or email`}
                  type="search"
                  value={q}
                  autoComplete="off"
                  onChange={({ target }) => setQ(target.value)}
                />
                <Select
                  label={t`Order`}
                  value={code ?? ''}
                  required
                  options={[
                    ...(code
                      ? []
                      : [{ value: '', label: sorted.length > 0 ? t`Choose…` : t`No order fits this search.` }]),
                    ...sorted.map(({ code: value, total, member }) => ({
                      value,
                      label: [value, money(total), member?.email].filter(Boolean).join(' · '),
                    })),
                  ]}
                  onChange={({ target }) => {
                    setChosen(target.value)
                    match.reset()
                  }}
                />
                {isOther && (
                  <>
                    <Notice tone="warning">
                      {amount.amount < order.data.total.amount ? (
                        <Trans>
                          The order costs {money(order.data.total)}. It will cost {money(amount)}: refunds cannot exceed
                          it.
                        </Trans>
                      ) : (
                        <Trans>
                          The order costs {money(order.data.total)}, and {money(amount)} arrived.
                        </Trans>
                      )}
                    </Notice>
                    <ReasonField failure={match.failure} />
                  </>
                )}
                <WriteRefusal failure={match.failure} queryKey={['order', code]} onLoaded={match.reset} />
              </form>
            )
          }
        </Loaded>
      )}
    </FormDialog>
  )
}
