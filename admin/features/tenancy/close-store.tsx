import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { useAdminApi } from '../../platform/admin-api'
import { useStoreCode } from '../../platform/client'
import { useWrite } from '../../platform/use-write'
import { CodeConfirmation } from '../../ui/code-confirmation'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'

/** Closes the store after its code was typed. */
export function CloseStore({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const code = useStoreCode()
  const [typed, setTyped] = useState('')
  const close = useWrite(() => api.admin.store.close({ code: typed }), {
    done: t`The store is closed`,
    changes: [['store-status']],
    onClose,
  })
  return (
    <Dialog open alert onClose={onClose} title={t`Close the store?`} closeLabel={t`Close`}>
      <form className={form.form} onSubmit={onSubmit(() => close.send(undefined))}>
        <p>
          <Trans>Visitors see a coming-soon page, and nobody can buy or watch until you open it again.</Trans>
        </p>
        <CodeConfirmation
          code={code}
          typed={typed}
          onType={setTyped}
          error={close.failure?.fields.code ?? close.failure?.message}
        />
        <div className={form.buttons}>
          <Button variant="ghost" onClick={onClose}>
            <Trans>Back</Trans>
          </Button>
          <Button type="submit" variant="danger" disabled={typed !== code} loading={close.isPending}>
            <Trans>Close the store</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
