import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { recordedMethod } from '#contract/enumerations.ts'
import { type MemberId, type OrderCode, type ProductCode, productCode } from '#contract/ids.ts'
import { Select } from '~/ui/select'
import { TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useIdempotencyKey } from '../../platform/idempotency'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { amountOf, MoneyField, typedAmount } from '../../ui/money-field'
import { recordedMethods } from '../../ui/order-labels'
import { TransferFields } from '../../ui/transfer-fields'
import { ProductField } from '../catalog/product-field'
import { MemberDialog } from './member-dialog'
import { OrderTitlesField, useOrderTitles } from './order-titles'

/** Gives a member a title without an order. */
export function GrantTitleDialog({ id, onClose }: { id: MemberId; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const grant = useWrite(
    ({ code = '', until, reason = '' }: Texts) =>
      api.admin.members.grantTitle(
        { id, productCode: z.parse(productCode, code), reason, ...(until && { until }) },
        { context: { idempotencyKey } },
      ),
    { done: t`Title granted`, changes: [['member', id]], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Grant a title</Trans>}
      action={<Trans>Grant</Trans>}
      write={grant}
      needsSecondFactor
      onClose={onClose}
    >
      <ProductField name="code" error={grant.failure?.fields.productCode} />
      <TextField
        label={t`Last day`}
        hint={t`Without one, the title stays with the member.`}
        name="until"
        type="date"
        error={grant.failure?.fields.until}
      />
    </MemberDialog>
  )
}

/** What an order for a member changes in the console. */
const orderChanges = (id: MemberId) => [['member', id], ['members'], ['orders'], ['home']]

interface OrderDialogProps {
  id: MemberId
  /** Of the member, where the page does not show whose order it is. */
  email?: string
  onCreated?: (code: OrderCode) => void
  onClose: () => void
}

function ForMember({ email }: { email: string | undefined }) {
  if (email === undefined) return null
  return (
    <p>
      <Trans>
        For <bdi>{email}</bdi>
      </Trans>
    </p>
  )
}

/** Gives a member titles for nothing, as an order. */
export function ComplimentaryOrderDialog({ id, email, onCreated, onClose }: OrderDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const idempotencyKey = useIdempotencyKey()
  const titles = useOrderTitles()
  const give = useWrite(
    ({ reason = '' }: Texts) =>
      api.admin.orders.createComplimentary(
        {
          memberId: id,
          productCodes: [...titles.codes],
          reason,
        },
        { context: { idempotencyKey } },
      ),
    {
      done: t`Complimentary order created`,
      changes: orderChanges(id),
      onDone: ({ code }) => onCreated?.(code),
      onClose,
    },
  )
  return (
    <MemberDialog
      title={<Trans>Complimentary order</Trans>}
      action={<Trans>Create the order</Trans>}
      write={give}
      needsSecondFactor
      isDisabled={titles.codes.length === 0}
      onClose={onClose}
    >
      <ForMember email={email} />
      <p>
        <Trans>
          The member gets the titles for nothing, an email about them, and an order that shows who gave them.
        </Trans>
      </p>
      <OrderTitlesField titles={titles} failure={give.failure} />
    </MemberDialog>
  )
}

/** Records a sale that was paid outside of the store. */
export function PaidOrderDialog({ id, email, onCreated, onClose }: OrderDialogProps) {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const { currency } = useSettings().base
  const idempotencyKey = useIdempotencyKey()
  const titles = useOrderTitles({ isSale: true })
  const record = useWrite(
    ({ amount, method, reference = '', day = '', reason = '' }: Texts) =>
      api.admin.orders.createPaid(
        {
          memberId: id,
          productCodes: [...titles.codes],
          optionIds: titles.priced.flatMap(({ option }) => option?.id ?? []),
          amount: amountOf(amount, currency),
          method: z.parse(recordedMethod, method),
          reference,
          day,
          reason,
        },
        { context: { idempotencyKey } },
      ),
    { done: t`Sale recorded`, changes: orderChanges(id), onDone: ({ code }) => onCreated?.(code), onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Record a sale</Trans>}
      action={<Trans>Record the sale</Trans>}
      write={record}
      isDisabled={titles.codes.length === 0}
      onClose={onClose}
    >
      <ForMember email={email} />
      <p>
        <Trans>
          For titles that were paid outside of the store, for example in cash or by invoice. The member gets them at
          once, with a receipt by email. The sale counts as revenue of the day of the payment, and the days in which it
          can be refunded begin with it.
        </Trans>
      </p>
      <OrderTitlesField titles={titles} failure={record.failure} />
      <MoneyField
        currency={currency}
        label={t`Amount received`}
        hint={t`Less than the price becomes the price of the order.`}
        name="amount"
        min={typedAmount(1, currency)}
        required
        error={record.failure?.fields.amount}
      />
      <Select
        label={t`Way of payment`}
        name="method"
        options={recordedMethod.options.map((value) => ({ value, label: i18n._(recordedMethods[value]) }))}
      />
      <TransferFields
        failure={record.failure}
        dayLabel={t`Day of the payment`}
        hint={t`The number of the receipt, invoice or statement. Each counts once.`}
      />
    </MemberDialog>
  )
}

interface RevokeTitleDialogProps {
  id: MemberId
  right: { productCode: ProductCode; title: string }
  onClose: () => void
}

/** Revokes a title that the member was granted. */
export function RevokeTitleDialog({ id, right, onClose }: RevokeTitleDialogProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const revoke = useWrite(
    ({ reason = '' }: Texts) => api.admin.members.revokeTitle({ id, productCode: right.productCode, reason }),
    { done: t`Title revoked`, changes: [['member', id]], onClose },
  )
  return (
    <MemberDialog
      title={<Trans>Revoke {right.title}?</Trans>}
      action={<Trans>Revoke</Trans>}
      write={revoke}
      danger
      onClose={onClose}
    >
      <p>
        <Trans>The member can no longer watch or download it, also where it is playing now.</Trans>
      </p>
    </MemberDialog>
  )
}
