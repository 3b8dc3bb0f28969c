import type { Ctx } from '#api/context.ts'
import { findCredentials } from '#api/db/queries/members.ts'
import { joinVerifications } from '#api/db/schema/joining.ts'
import { newId } from '#api/db/uuid.ts'
import { failure } from '#api/domain/failure.ts'
import { queueMail } from '#api/domain/mail/queue-mail.ts'
import { haveAccountMail } from '#api/mail/templates/have-account.ts'
import { joinCodeMail } from '#api/mail/templates/join-code.ts'
import type { PostalAddress } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { lowerEmail } from './email.ts'
import { invalid } from './field-words.ts'
import { createCode, createJoinToken, hashCode, hashJoinToken } from './join-secrets.ts'
import { codeMinutes, type Stage, stageOf, tries } from './join-stage.ts'
import { pageVersion } from './page-version.ts'
import { readPhone } from './phone.ts'
import { isPlainLine } from './plain-line.ts'

export interface JoinWish {
  email: string
  password: string
  name: string
  phone?: string | undefined
  address?: PostalAddress | undefined
  agreeMarketing: boolean
}

/** What a form may be refused for before any work is done on it; with the phone as it will be kept, null for none. */
export const checkJoin = ({ settings }: Ctx['customer'], wish: JoinWish, language: Locale) => {
  if (!settings.operation.useJoin) return failure('JOIN_DISABLED')
  if (!isPlainLine(wish.name)) return invalid(language, 'name', 'name')
  if (lowerEmail(wish.password) === lowerEmail(wish.email)) return invalid(language, 'password', 'passwordIsEmail')
  if (wish.phone === undefined) return null
  return readPhone(wish.phone, settings) ?? invalid(language, 'phone', 'phone')
}

export interface CheckedJoin extends Omit<JoinWish, 'password' | 'phone'> {
  phone: string | null
  passwordHash: string
  /** The reader's language. */
  locale: Locale
  codeKey: string
}

/**
 * Keeps the form and sends a code to its e-mail. An e-mail that has an account gets a mail that says so instead, and a join that no code
 * can finish: what is done, and so what is answered and how soon, is the same.
 */
export const requestJoin = async (ctx: Ctx, wish: CheckedJoin): Promise<Stage> => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const [id, token, code] = [newId(), createJoinToken(), createCode()]
  const emailLower = lowerEmail(wish.email)
  const owner = await findCredentials(db, customer.id, emailLower)
  const codeHash = hashCode(wish.codeKey, id, code)
  const [row] = await db
    .insert(joinVerifications)
    .values({
      customerId: customer.id,
      id,
      tokenHash: hashJoinToken(token),
      email: wish.email,
      emailLower,
      passwordHash: wish.passwordHash,
      name: wish.name,
      phone: wish.phone,
      address: wish.address ?? null,
      marketing: wish.agreeMarketing,
      termsVersion: await pageVersion(ctx, 'terms'),
      privacyVersion: await pageVersion(ctx, 'privacy'),
      locale: wish.locale,
      codeHash: owner ? null : codeHash,
      triesLeft: tries,
      sentAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + codeMinutes * 60_000).toISOString(),
      createdAt: now.toISOString(),
    })
    .returning()
  if (!row) throw new Error('A join was not kept')
  await sendCode(ctx, { to: wish.email, locale: wish.locale, code: owner ? null : code })
  return stageOf(row, token, now)
}

interface CodeMail {
  to: string
  locale: Locale
  /** Null where the e-mail has an account already. */
  code: string | null
}

export const sendCode = async (ctx: Ctx, { to, locale, code }: CodeMail) => {
  const shared = { to, locale, memberId: null }
  if (code === null) await queueMail(ctx, { ...shared, template: haveAccountMail, data: {} })
  else await queueMail(ctx, { ...shared, template: joinCodeMail, data: { code, minutes: codeMinutes } })
}
