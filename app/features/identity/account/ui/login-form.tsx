import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useForm } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'
import { credentials } from '#contract/identity.ts'
import { call } from '~/platform/api/call'
import { problemOf, unknownError } from '~/platform/api/problem'
import { useValidationErrors } from '~/platform/api/validation-errors'
import { focusFirstInvalid } from '~/platform/focus'
import { rememberedEmail } from '~/platform/forms/credentials'
import { openModal } from '~/platform/modals/modal-events'
import { onSignIn, registerWithApp } from '~/platform/session/session-change'
import { Button, MailboxLink } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { EmailField, PasswordField } from '~/ui/text-field'
import {
  type LoginField,
  type LoginOutcome,
  login,
  loginFieldMessages,
  loginRefusal,
  requestSignInLink,
  waitOf,
} from '../login.functions'
import styles from './login-form.module.css'

interface LoginFormProps {
  /** Set after the form was posted without JavaScript. */
  outcome: LoginOutcome | null
  /** The path to open after the sign-in: a safe path of this store. */
  returnTo: string
  /** The key of a mail's link to sign in. */
  linkKey: string | undefined
}

/** The state of the sign-in form, and what sends it. */
function useLogin({ outcome, returnTo, linkKey }: LoginFormProps, element: RefObject<HTMLFormElement | null>) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState(outcome?.code ?? null)
  const [wait, setWait] = useState(outcome?.wait ?? null)
  const [link, setLink] = useState(outcome?.link ?? null)

  const form = useForm({
    defaultValues: { email: outcome?.email ?? rememberedEmail.get(), password: '' },
    validators: { onSubmit: credentials },
    onSubmitInvalid: () => focusFirstInvalid(element.current),
    onSubmit: async ({ value }) => {
      setRefusal(null)
      setWait(null)
      setLink(null)
      try {
        const data = linkKey === undefined ? value : { ...value, linkKey }
        const answer = await call((signal) => login({ data, signal }), { silent: true })
        if (answer.tokenType === 'Bearer') await registerWithApp(answer)
        await onSignIn(queryClient)
        await router.navigate({ href: returnTo, replace: true })
      } catch (error) {
        const problem = problemOf(error)
        setRefusal(problem?.status === 422 ? null : (problem?.code ?? unknownError))
        setWait(waitOf(problem?.data))
        focusFirstInvalid(element.current)
      }
    },
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager may have filled the fields before hydration.
    const typed = new FormData(event.currentTarget)
    form.setFieldValue('email', String(typed.get('email') ?? ''))
    form.setFieldValue('password', String(typed.get('password') ?? ''))
    void form.handleSubmit()
  }

  const requestLink = async (event: MouseEvent) => {
    event.preventDefault()
    const { email } = form.state.values
    try {
      setLink(await call((signal) => requestSignInLink({ data: { email }, signal }), { silent: true }))
      setRefusal(null)
      setWait(null)
    } catch (error) {
      setRefusal(problemOf(error)?.code ?? unknownError)
      setWait(null)
    }
  }
  return { form, submit, requestLink, refusal, wait, link }
}

/** The sign-in form. Without JavaScript it posts to its own page. */
export function LoginForm(props: LoginFormProps) {
  const { t, i18n } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const { form, submit, requestLink, refusal, wait, link } = useLogin(props, element)
  const { outcome } = props
  const storedErrors = useValidationErrors()

  const findPassword = (event: MouseEvent) => {
    event.preventDefault()
    openModal('findPassword', { email: form.state.values.email })
  }

  const errorOf = (name: LoginField, faulty: boolean) =>
    storedErrors[name]?.[0] ??
    (faulty || (outcome?.errors[name] !== undefined && !form.state.isSubmitted)
      ? i18n._(loginFieldMessages[name])
      : undefined)

  return (
    <form ref={element} method="post" noValidate onSubmit={submit} className={styles.form}>
      {refusal && (
        <p role="alert" className={styles.refusal}>
          <Icon name="error" size="m" />
          {wait ? <TooManyTries seconds={wait.retryAfterSeconds} /> : i18n._(loginRefusal(refusal))}
        </p>
      )}
      {wait?.signInLink && (
        <div className={styles.link}>
          <p>
            <Trans>Don’t want to wait? We can email you a link that lets you sign in on this device.</Trans>
          </p>
          <Button type="submit" name="intent" value="link" onClick={requestLink}>
            <Trans>Email me a link</Trans>
          </Button>
        </div>
      )}
      {link && <LinkSent email={form.state.values.email} mailbox={link.mailbox} />}
      <form.Field name="email">
        {(field) => (
          <EmailField
            label={<Trans>Email</Trans>}
            value={field.state.value}
            onChange={({ target }) => {
              field.handleChange(target.value)
              rememberedEmail.set(target.value)
            }}
            error={errorOf('email', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Field name="password">
        {(field) => (
          <PasswordField
            name="password"
            label={<Trans>Password</Trans>}
            aside={
              <Link to="/reset-password" className={styles.forgot} onClick={findPassword}>
                <Trans>Forgot your password?</Trans>
              </Link>
            }
            labels={{ show: t`Show password`, hide: t`Hide password` }}
            value={field.state.value}
            onChange={(event) => field.handleChange(event.target.value)}
            error={errorOf('password', field.state.meta.errors.length > 0)}
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <Button type="submit" variant="primary" size="l" full loading={pending}>
            <Trans>Sign in</Trans>
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}

function TooManyTries({ seconds }: { seconds: number }) {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) {
    return (
      <Plural
        value={seconds}
        one="Too many attempts. Try again in # second."
        other="Too many attempts. Try again in # seconds."
      />
    )
  }
  return (
    <Plural
      value={minutes}
      one="Too many attempts. Try again in # minute."
      other="Too many attempts. Try again in # minutes."
    />
  )
}

function LinkSent({ email, mailbox }: { email: string; mailbox: string | null }) {
  return (
    <div className={styles.link}>
      <Notice tone="success">
        <Trans>
          If <b dir="ltr">{email}</b> has an account here, we’ve sent a link to it. Open it on this device and enter
          your password. If you asked in the last 10 minutes, use the link you already have.
        </Trans>
      </Notice>
      {mailbox && <MailboxLink href={mailbox} label={<Trans>Open the demo mailbox</Trans>} />}
    </div>
  )
}
