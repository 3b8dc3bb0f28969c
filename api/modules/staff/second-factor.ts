import { createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { audit } from '#api/platform/audit.ts'
import {
  type Ctx,
  type DetachedCtx,
  type Failure,
  failure,
  invalidField,
  isFailure,
  type StaffOperator,
} from '#api/platform/context.ts'
import { decrypt, encrypt, randomCode, secretFor } from '#api/platform/crypto.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import { findStaff, type StaffRow, updateStaff } from './staff.queries.ts'
import { updateStaffSession } from './staff-access.queries.ts'
import { confirmStaffPassword, type StaffDeps } from './staff-sign-in.ts'

const stepSeconds = 30
/** An authenticator app's clock may differ by this many steps. */
const window = 1

const appOf = (secret: string, { store, email }: { store: string; email: string }) =>
  new TOTP({ issuer: store, label: email, period: stepSeconds, secret: Secret.fromBase32(secret) })

const encryptionSecret = (secret: string) => secretFor(secret, 'sealed columns')

const wrongCode = ({ locale }: Pick<Ctx, 'locale'>) => {
  const i18n = messagesOf(locale)
  return invalidField('code', i18n._('Incorrect code. Enter the current code of your authenticator app.'))
}

/** Refuses a passkey at a sign-in, or a new one. Failure: VALIDATION_FAILED. */
export const refusePasskey = ({ locale }: Pick<Ctx, 'locale'>, { isNew = false } = {}): Failure => {
  const i18n = messagesOf(locale)
  return invalidField(
    'credential',
    isNew
      ? i18n._('The passkey could not be added. Try again.')
      : i18n._('This passkey does not work here. Try again, or sign in with your password.'),
  )
}

/** The time step of a correct code that was not used before; null for any other code. */
const stepOf = (code: string, secret: string, { totpStep }: Pick<StaffRow, 'totpStep'>, now: Date): number | null => {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = appOf(secret, { store: '', email: '' }).validate({ token: code, window, timestamp })
  if (delta === null) return null
  const step = Math.floor(timestamp / (stepSeconds * 1000)) + delta
  return step > totpStep ? step : null
}

/** Recovery codes are read from paper, so case, spaces and hyphens do not count. */
export const hashRecoveryCode = (secret: string, { id }: Pick<StaffRow, 'id'>, code: string) =>
  createHmac('sha256', secretFor(secret, 'recovery codes'))
    .update(`${id}\n${code.toUpperCase().replace(/[\s-]/g, '')}`)
    .digest('base64url')

const recoveryCodeCount = 10

/** Returns new recovery codes, in plain text. */
export const createRecoveryCodes = () =>
  Array.from({ length: recoveryCodeCount }, () => `${randomCode(5)}-${randomCode(5)}`)

/** Counts a code. Wrong codes of an account from a network are limited. */
const countCode = ({ customer }: DetachedCtx, { limits }: StaffDeps, { id }: StaffOperator, address: string) =>
  limits.staff.codes.consume(customer.id, `${id} ${networkOf(address)}`)

interface EnteredCode {
  code: string
  address: string
}

/** Runs `work` with a counted code. A success is not counted. Failure: RATE_LIMITED. */
const withCountedCode = async <Answer>(
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  { address, work }: { address: string; work: (tx: Ctx) => Promise<Answer> },
): Promise<Answer | Failure> => {
  const counted = await countCode(ctx, deps, operator, address)
  if (counted.code === 'EXHAUSTED') return failure('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  const answer = await ctx.inTransaction(work)
  if (!isFailure(answer)) await counted.release()
  return answer
}

/** Records that the session was confirmed with a second factor. */
export const confirmSession = ({ db, customer, clock }: Ctx, { sessionId }: StaffOperator) =>
  updateStaffSession(db, customer.id, sessionId, { confirmedAt: clock.now().toISOString() })

/** The actor and the subject of entries in the audit log about a person's own account. */
export const entryOf = ({ id, email }: StaffOperator) => ({ actor: `staff:${email}`, subject: `staff:${id}` }) as const

/**
 * Confirms a session with the code of the authenticator app, or with a recovery code, which works
 * once. Failures: VALIDATION_FAILED, RATE_LIMITED, CONFLICT without a second factor.
 */
export const confirmSecondFactor = (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  { code, address }: EnteredCode,
): Promise<Failure | undefined> =>
  withCountedCode(ctx, deps, operator, {
    address,
    work: async (tx) => {
      const person = await findStaff(tx.db, tx.customer.id, operator.id, { lock: true })
      if (!person) return failure('SESSION_EXPIRED')
      if (person.totpSecret === null && !person.hasPasskey) return failure('CONFLICT')
      const secret = person.totpSecret && decrypt(encryptionSecret(deps.secret), person.totpSecret)
      const step = secret ? stepOf(code, secret, person, tx.clock.now()) : null
      if (step !== null) {
        await updateStaff(tx.db, person.id, { totpStep: step })
        await confirmSession(tx, operator)
        return undefined
      }
      const hash = hashRecoveryCode(deps.secret, person, code)
      if (!person.recoveryCodes.includes(hash)) return wrongCode(tx)
      const recoveryCodes = person.recoveryCodes.filter((each) => each !== hash)
      await updateStaff(tx.db, person.id, { recoveryCodes })
      await confirmSession(tx, operator)
      const detail = { left: recoveryCodes.length }
      await audit(tx, { ...entryOf(operator), action: 'staff.recovery-code-used', detail })
      return undefined
    },
  })

interface PasswordInput {
  password: string
  language: Locale
}

/**
 * Begins to set up an authenticator app. A present app stays valid until the new one is confirmed.
 * Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for a wrong password.
 */
export const startTotp = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  input: PasswordInput,
): Promise<{ secret: string; uri: string } | Failure> => {
  const person = await confirmStaffPassword(ctx, deps, operator, { ...input, field: 'password' })
  if (isFailure(person)) return person
  const secret = new Secret({ size: 20 }).base32
  const totpPending = encrypt(encryptionSecret(deps.secret), secret)
  await ctx.inTransaction((tx) => updateStaff(tx.db, person.id, { totpPending }))
  const store = ctx.customer.settings.base.name ?? ctx.customer.code
  return { secret, uri: appOf(secret, { store, email: person.email }).toString() }
}

/**
 * Completes the setup with a code of the new app, and confirms the session. Failures:
 * VALIDATION_FAILED for a wrong code, RATE_LIMITED, CONFLICT without a begun setup.
 *
 * @returns new recovery codes, which cannot be read again
 */
export const confirmTotp = (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  { code, address }: EnteredCode,
): Promise<{ codes: string[] } | Failure> =>
  withCountedCode(ctx, deps, operator, {
    address,
    work: async (tx) => {
      const person = await findStaff(tx.db, tx.customer.id, operator.id, { lock: true })
      if (!person) return failure('SESSION_EXPIRED')
      if (person.totpPending === null) return failure('CONFLICT')
      const step = stepOf(
        code,
        decrypt(encryptionSecret(deps.secret), person.totpPending),
        { totpStep: 0 },
        tx.clock.now(),
      )
      if (step === null) return wrongCode(tx)
      const codes = createRecoveryCodes()
      await updateStaff(tx.db, person.id, {
        totpSecret: person.totpPending,
        totpPending: null,
        totpStep: step,
        recoveryCodes: codes.map((each) => hashRecoveryCode(deps.secret, person, each)),
      })
      await confirmSession(tx, operator)
      await audit(tx, { ...entryOf(operator), action: 'staff.second-factor-set' })
      return { codes }
    },
  })

/**
 * Removes the authenticator app, and without a passkey also the recovery codes. Failures:
 * RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for a wrong password.
 */
export const removeTotp = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  input: PasswordInput,
): Promise<Failure | undefined> => {
  const person = await confirmStaffPassword(ctx, deps, operator, { ...input, field: 'password' })
  if (isFailure(person)) return person
  await ctx.inTransaction(async (tx) => {
    const app = { totpSecret: null, totpPending: null }
    await updateStaff(tx.db, person.id, person.hasPasskey ? app : { ...app, recoveryCodes: [] })
    if (!person.hasPasskey) await updateStaffSession(tx.db, tx.customer.id, operator.sessionId, { confirmedAt: null })
    await audit(tx, { ...entryOf(operator), action: 'staff.second-factor-removed' })
  })
  return undefined
}
