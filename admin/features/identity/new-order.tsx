import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { MemberId, OrderCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { RadioGroup } from '~/ui/choice'
import { useMay } from '../../platform/session'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { MemberChoice } from './member-choice'
import { NewMemberDialog } from './new-member'
import { ComplimentaryOrderDialog, PaidOrderDialog } from './title-dialogs'

const kinds = ['SALE', 'COMPLIMENTARY'] as const
type Kind = (typeof kinds)[number]

interface Buyer {
  id: MemberId
  email: string
}

/** An order that staff write: for whom, of which kind, and then its own form. */
export function NewOrderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const may = useMay()
  const navigate = useNavigate()
  const [buyer, setBuyer] = useState<Buyer | null>(null)
  const allowed = kinds.filter((kind) => may(kind === 'SALE' ? 'deposits:write' : 'orders:write'))
  const [kind, setKind] = useState<Kind | undefined>(allowed[0])
  const [step, setStep] = useState<'MEMBER' | 'NEW_MEMBER' | 'ORDER'>('MEMBER')
  const [typed, setTyped] = useState('')
  const open = (code: OrderCode) => void navigate({ to: '/orders/$code', params: { code } })
  if (step === 'NEW_MEMBER') {
    const email = z.safeParse(z.email(), typed).data
    return (
      <NewMemberDialog
        {...(email !== undefined && { email })}
        onCreated={(created) => {
          setBuyer(created)
          setStep(kind === undefined ? 'MEMBER' : 'ORDER')
        }}
        onClose={() => setStep('MEMBER')}
      />
    )
  }
  if (step === 'ORDER' && buyer) {
    const OrderDialog = kind === 'SALE' ? PaidOrderDialog : ComplimentaryOrderDialog
    return <OrderDialog id={buyer.id} email={buyer.email} onCreated={open} onClose={onClose} />
  }
  const labels = { SALE: t`Record a sale`, COMPLIMENTARY: t`Complimentary order` } as const
  const hints = {
    SALE: t`For titles that were paid outside of the store.`,
    COMPLIMENTARY: t`The member gets the titles for nothing.`,
  } as const
  return (
    <FormDialog
      title={<Trans>New order</Trans>}
      action={<Trans>Continue</Trans>}
      writes={[]}
      isDisabled={buyer === null}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(() => setStep('ORDER'))}>
          <MemberChoice
            label={t`Member: name or email address`}
            legend={t`For this member`}
            chosen={buyer}
            onChoose={setBuyer}
            none={(searched) => (
              <>
                <p>
                  <Trans>No member fits this search.</Trans>
                </p>
                {may('members:write') && (
                  <Button
                    size="s"
                    onClick={() => {
                      setTyped(searched)
                      setStep('NEW_MEMBER')
                    }}
                  >
                    <Trans>New member</Trans>
                  </Button>
                )}
              </>
            )}
          />
          {allowed.length > 1 && (
            <RadioGroup
              legend={t`Kind of order`}
              name="kind"
              value={kind ?? ''}
              options={allowed.map((value) => ({ value, label: labels[value], hint: hints[value] }))}
              onValueChange={(value) => setKind(kinds.find((each) => each === value))}
            />
          )}
        </form>
      )}
    </FormDialog>
  )
}
