import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useApi } from '../../platform/client'
import { meKey, useMe, useSignOut } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal } from '../../ui/form'
import { askForPasskey, PasskeyButton, PasskeyRefusal } from './passkey'
import styles from './sign-in.module.css'

/** Asks for a passkey, or a code of the authenticator app or of those for recovery. */
export function SecondFactorForm() {
  const { t } = useLingui()
  const api = useApi()
  const { isSetUp, hasPasskey } = useMe().secondFactor
  const confirm = useWrite(api.staff.confirmSecondFactor, { changes: [meKey] })
  const withPasskey = useWrite(async () => api.staff.confirmPasskey(await askForPasskey(api)), { changes: [meKey] })
  const signOut = useSignOut()
  const submit = onSubmit(({ code = '' }) => confirm.send({ code }))
  return (
    <form className={styles.form} onSubmit={submit}>
      <Refusal failure={confirm.failure} />
      <PasskeyRefusal failure={withPasskey.failure} />
      {hasPasskey && (
        <PasskeyButton write={withPasskey} onPress={confirm.reset}>
          <Trans>Use a passkey</Trans>
        </PasskeyButton>
      )}
      <TextField
        label={t`Code`}
        hint={isSetUp ? t`From your authenticator app, or a recovery code.` : t`A recovery code.`}
        name="code"
        autoComplete="one-time-code"
        required
        minLength={6}
        dir="ltr"
      />
      <Button type="submit" variant="primary" full loading={confirm.isPending}>
        <Trans>Continue</Trans>
      </Button>
      <Button variant="ghost" full loading={signOut.isPending} onClick={() => signOut.mutate()}>
        <Trans>Sign out</Trans>
      </Button>
    </form>
  )
}
