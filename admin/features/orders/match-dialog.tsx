import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MoneyToReturn } from '#contract/admin/deposits.ts'
import { orderCode } from '#contract/ids.ts'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog, ReasonField } from '../../ui/form-dialog'
import { Loaded } from '../../ui/states'
import { depositChanges, depositsQuery } from './deposits.queries'
import { orderQuery } from './orders.queries'

/** As many as the API lists at once. */
const choiceSize = 200

interface MatchDialogProps {
  payment: MoneyToReturn['unapplied'][number]
  onClose: () => void
}

/** Uses an unapplied payment for an order that waits for a deposit. */
export function MatchDialog({ payment, onClose }: MatchDialogProps) {
  const { t } = useLingui()
  const { money } = useFormat()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const { id, amount, code: source } = payment
  const choices = useQuery(depositsQuery(api, { size: choiceSize }))
  const [chosen, setChosen] = useState<string>()
  const waiting = (choices.data?.items ?? []).filter(({ total }) => total.currency === amount.currency)
  // Those of the same member and of the same amount come first.
  const score = ({ member, total }: (typeof waiting)[number]) =>
    Number(member?.id === payment.member?.id) * 2 + Number(total.amount === amount.amount)
  const sorted = waiting.toSorted((a, b) => score(b) - score(a))
  const code = orderCode.safeParse(chosen ?? sorted[0]?.code).data
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
      isDisabled={!order.data || sorted.length === 0}
      onClose={onClose}
    >
      {(formId) => (
        <Loaded query={choices}>
          {() =>
            sorted.length === 0 ? (
              <EmptyState icon="search" compact headingLevel="h3" title={<Trans>No order waits for a deposit</Trans>} />
            ) : (
              <form id={formId} className={form.form} onSubmit={onSubmit((texts) => match.send(texts))}>
                <p>
                  <Trans>The payment arrived for {source}.</Trans>
                </p>
                <Select
                  label={t`Order`}
                  value={code ?? ''}
                  options={sorted.map(({ code: value, total, member }) => ({
                    value,
                    label: [value, money(total), member?.email].filter(Boolean).join(' · '),
                  }))}
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
