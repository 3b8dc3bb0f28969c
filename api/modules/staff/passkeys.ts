import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type * as z from 'zod/mini'
import { createDeviceToken, type Visitor } from '#api/modules/identity/sessions.ts'
import { audit } from '#api/platform/audit.ts'
import {
  type Ctx,
  type DetachedCtx,
  type Failure,
  failure,
  isFailure,
  type StaffOperator,
} from '#api/platform/context.ts'
import { packUuids, secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { exceeded, networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { StaffPasskeyId } from '#contract/ids.ts'
import type { PasskeyProof, passkeyCreation, passkeyForm, passkeyRequest } from '#contract/staff.ts'
import { staffPasskeyAddedMail } from './mails/staff-mails.ts'
import { confirmSession, createRecoveryCodes, entryOf, hashRecoveryCode, refusePasskey } from './second-factor.ts'
import { findStaff, updateStaff } from './staff.queries.ts'
import {
  deletePasskeys,
  insertPasskey,
  lockPasskey,
  type PasskeyRow,
  readPasskeys,
  updatePasskey,
} from './staff-access.queries.ts'
import { openStaffSession, type StaffDevice } from './staff-sessions.ts'
import {
  confirmStaffPassword,
  queueStaffMail,
  type StaffDeps,
  type StaffSignedInOn,
  staffAccountOf,
} from './staff-sign-in.ts'

/** Read when the first passkey is verified: most processes never need it. */
const webAuthn = () => import('@simplewebauthn/server')

const validMilliseconds = 5 * 60_000
const maxPasskeys = 20
/** COSE numbers of the algorithms: Ed25519, ES256 and RS256. */
const algorithms = [-8, -7, -257]

/** Milliseconds as eight bytes, 16 random bytes, and the signature of both. */
const [timeBytes, signedBytes, challengeBytes] = [8, 24, 56]

type Use = 'sign-in' | `adding ${string}`

const signatureOf = (secret: string, { customer }: Pick<Ctx, 'customer'>, use: Use, signed: Buffer) =>
  createHmac('sha256', secretFor(secret, 'passkey challenges'))
    .update(`${customer.id}\n${use}\n`)
    .update(signed)
    .digest()

const createChallenge = (secret: string, ctx: Pick<Ctx, 'customer' | 'clock'>, use: Use): string => {
  const time = Buffer.alloc(timeBytes)
  time.writeBigUInt64BE(BigInt(ctx.clock.now().getTime()))
  const signed = Buffer.concat([time, randomBytes(signedBytes - timeBytes)])
  return Buffer.concat([signed, signatureOf(secret, ctx, use, signed)]).toString('base64url')
}

/** When a challenge was made; null for one that has expired or is not of this store and use. */
const timeOf = (secret: string, ctx: Pick<Ctx, 'customer' | 'clock'>, use: Use, challenge: string): Date | null => {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== challengeBytes) return null
  const signed = bytes.subarray(0, signedBytes)
  if (!timingSafeEqual(bytes.subarray(signedBytes), signatureOf(secret, ctx, use, signed))) return null
  const madeAt = Number(signed.readBigUInt64BE())
  return ctx.clock.now().getTime() - madeAt > validMilliseconds ? null : new Date(madeAt)
}

/** The host of the console, to which browsers bind a passkey. */
const hostOf = (origin: string) => new URL(origin).hostname

/** Returns what a browser needs to ask for a passkey of the host. */
export const createPasskeyRequest = (
  ctx: Pick<Ctx, 'customer' | 'clock'>,
  { secret }: Pick<StaffDeps, 'secret'>,
  origin: string,
): z.output<typeof passkeyRequest> => ({
  challenge: createChallenge(secret, ctx, 'sign-in'),
  rpId: hostOf(origin),
  timeout: validMilliseconds,
  userVerification: 'required',
})

/** Verifies the signature of a passkey, and accepts it once. Failure: VALIDATION_FAILED. */
const acceptProof = async (
  tx: Ctx,
  secret: string,
  { credential, origin }: PasskeyProof & { origin: string },
): Promise<PasskeyRow | Failure> => {
  const passkey = await lockPasskey(tx.db, tx.customer.id, credential.id)
  if (!passkey) return refusePasskey(tx)
  const { verifyAuthenticationResponse } = await webAuthn()
  const times: Date[] = []
  const answer = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (challenge) => {
      const madeAt = timeOf(secret, tx, 'sign-in', challenge)
      if (!madeAt || madeAt <= new Date(passkey.lastChallengeAt ?? 0)) return false
      times.push(madeAt)
      return true
    },
    expectedOrigin: origin,
    expectedRPID: passkey.host,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => null)
  const [madeAt] = times
  if (!answer?.verified || !madeAt) return refusePasskey(tx)
  await updatePasskey(tx.db, tx.customer.id, passkey.id, {
    counter: answer.authenticationInfo.newCounter,
    lastChallengeAt: madeAt.toISOString(),
    lastUsedAt: tx.clock.now().toISOString(),
  })
  return passkey
}

interface Proof extends PasskeyProof, Visitor, StaffDevice {
  origin: string
}

/** Runs `work` with a proof. Wrong ones are counted by network. Failure: RATE_LIMITED. */
const withCountedProof = async <Answer>(
  ctx: DetachedCtx,
  { limits }: StaffDeps,
  { address }: Proof,
  work: (tx: Ctx) => Promise<Answer>,
): Promise<Answer | Failure> => {
  const counted = await limits.staff.keys.consume(ctx.customer.id, networkOf(address))
  const refused = exceeded(counted)
  if (refused) return refused
  await webAuthn()
  const answer = await ctx.inTransaction(work)
  if (!isFailure(answer) && counted.code === 'ALLOWED') await counted.release()
  return answer
}

/**
 * Signs a person in with a passkey. The authenticator has verified the person, so the session needs
 * no second factor. Failures: VALIDATION_FAILED, RATE_LIMITED.
 */
export const signInWithPasskey = (
  ctx: DetachedCtx,
  deps: StaffDeps,
  proof: Proof,
): Promise<StaffSignedInOn | Failure> =>
  withCountedProof(ctx, deps, proof, async (tx) => {
    const passkey = await acceptProof(tx, deps.secret, proof)
    if (isFailure(passkey)) return passkey
    const person = await findStaff(tx.db, tx.customer.id, passkey.staffId, { lock: true })
    if (!person) return refusePasskey(tx)
    const session = await openStaffSession(tx, person, proof, { isConfirmed: true })
    const account = staffAccountOf(tx, person.email)
    return { session, deviceToken: createDeviceToken(deps.secret, account, proof.deviceToken, tx.clock.now()) }
  })

/** Confirms a session with a passkey of its person. Failures: VALIDATION_FAILED, RATE_LIMITED. */
export const confirmPasskey = (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  proof: Proof,
): Promise<Failure | undefined> =>
  withCountedProof(ctx, deps, proof, async (tx) => {
    const passkey = await acceptProof(tx, deps.secret, proof)
    if (isFailure(passkey)) return passkey
    if (passkey.staffId !== operator.id) return refusePasskey(tx)
    await confirmSession(tx, operator)
    return undefined
  })

/** The passkeys of a person at the store, the oldest first. */
export const listPasskeys = async ({ db, customer }: Ctx, { id: staffId }: StaffOperator) => {
  const rows = await readPasskeys(db, customer.id, staffId)
  return rows.map(({ id, name, host, createdAt, lastUsedAt }) => ({ id, name, host, createdAt, lastUsedAt }))
}

/**
 * Begins to add a passkey. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for a wrong
 * password.
 */
export const startPasskey = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  { origin, ...input }: { password: string; language: Locale; origin: string },
): Promise<z.output<typeof passkeyCreation> | Failure> => {
  const person = await confirmStaffPassword(ctx, deps, operator, { ...input, field: 'password' })
  if (isFailure(person)) return person
  const present = await ctx.inTransaction(({ db }) => readPasskeys(db, ctx.customer.id, operator.id))
  return {
    challenge: createChallenge(deps.secret, ctx, `adding ${operator.sessionId}`),
    rp: { id: hostOf(origin), name: ctx.customer.settings.base.name ?? ctx.customer.code },
    user: { id: packUuids([person.id]), name: person.email, displayName: person.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: validMilliseconds,
    excludeCredentials: present.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  }
}

/** Verifies a new passkey. Failure: VALIDATION_FAILED. */
const verifyNewPasskey = async (
  ctx: DetachedCtx,
  { secret }: StaffDeps,
  { sessionId }: StaffOperator,
  { credential, origin }: NewPasskey,
) => {
  const { verifyRegistrationResponse } = await webAuthn()
  const answer = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (challenge) => timeOf(secret, ctx, `adding ${sessionId}`, challenge) !== null,
    expectedOrigin: origin,
    expectedRPID: hostOf(origin),
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null)
  return answer?.verified ? answer.registrationInfo.credential : refusePasskey(ctx, { isNew: true })
}

type NewPasskey = z.output<typeof passkeyForm> & { origin: string }

/**
 * Adds a passkey, confirms the session, and tells the person by mail. Failures: VALIDATION_FAILED,
 * SESSION_EXPIRED, CONFLICT for a passkey that the store has.
 *
 * @returns recovery codes, which cannot be read again, if the person had none
 */
export const addPasskey = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  input: NewPasskey,
): Promise<{ codes: string[] } | Failure> => {
  const credential = await verifyNewPasskey(ctx, deps, operator, input)
  if (isFailure(credential)) return credential
  return ctx.inTransaction(async (tx) => {
    const { db, customer, clock } = tx
    const person = await findStaff(db, customer.id, operator.id, { lock: true })
    if (!person) return failure('SESSION_EXPIRED')
    const i18n = messagesOf(tx.locale)
    if ((await readPasskeys(db, customer.id, person.id)).length >= maxPasskeys)
      return failure('CONFLICT', { errors: { name: [i18n._('You have too many passkeys. Remove one first.')] } })
    const isNew = await insertPasskey(db, {
      customerId: customer.id,
      id: newId(),
      staffId: person.id,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      host: hostOf(input.origin),
      name: input.name,
      createdAt: clock.now().toISOString(),
    })
    if (!isNew) return failure('CONFLICT', { errors: { name: [i18n._('This passkey was added before.')] } })
    const codes = person.recoveryCodes.length > 0 ? [] : createRecoveryCodes()
    const recoveryCodes = codes.map((each) => hashRecoveryCode(deps.secret, person, each))
    if (codes.length > 0) await updateStaff(db, person.id, { recoveryCodes })
    await confirmSession(tx, operator)
    await audit(tx, { ...entryOf(operator), action: 'staff.passkey-added', detail: { name: input.name } })
    const data = { name: input.name, at: clock.now().toISOString() }
    await queueStaffMail(tx, person, { template: staffPasskeyAddedMail, data })
    return { codes }
  })
}

/**
 * Removes a passkey. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for a wrong
 * password, NOT_FOUND.
 */
export const removePasskey = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  { id, ...input }: { id: StaffPasskeyId; password: string; language: Locale },
): Promise<Failure | undefined> => {
  const person = await confirmStaffPassword(ctx, deps, operator, { ...input, field: 'password' })
  if (isFailure(person)) return person
  return ctx.inTransaction(async (tx) => {
    const [name] = await deletePasskeys(tx.db, tx.customer.id, person.id, id)
    if (name === undefined) return failure('NOT_FOUND')
    await audit(tx, { ...entryOf(operator), action: 'staff.passkey-removed', detail: { name } })
    return undefined
  })
}
