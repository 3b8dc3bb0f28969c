import { welcomeMail } from '#api/modules/identity/mails/accounts.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import type { MemberId } from '#contract/ids.ts'
import { appendConsents, type Consent, changeJoin, insertMember, type JoinRow } from './identity.queries.ts'
import { openJoin } from './join.ts'
import { accountOf, createDeviceToken, openSession, type Visitor } from './sessions.ts'
import type { SignedIn } from './sign-in.ts'

/** Fourteen years: the legal age of consent. */
const ageVersion = '14'

/**
 * Creates the member of a confirmed join, once, with evidence of each consent. Signs in on this
 * device and moves the guest's data to the member. Failures: JOIN_DISABLED, NOT_FOUND, GONE for a
 * completed join, CONFLICT before confirmation or if the email was taken meanwhile.
 */
export const join = async (
  ctx: Ctx,
  { secret }: { secret: string },
  { token, device, address, deviceToken }: { token: string; device: string } & Visitor,
): Promise<SignedIn | Failure> => {
  const { customer, db, clock } = ctx
  if (!customer.settings.operation.useJoin) return failure('JOIN_DISABLED')
  const form = await openJoin(ctx, token)
  if (isFailure(form)) return form
  if (form.completedAt) return failure('GONE')
  if (!form.verifiedAt) return failure('CONFLICT')
  const now = clock.now().toISOString()
  const memberId = newId<MemberId>()
  if (!(await insertMember(db, memberOf(form, memberId, now)))) return failure('CONFLICT')
  await appendConsents(db, customer.id, memberId, consentsOf(form))
  // Retains only the fields that the next page shows.
  await changeJoin(db, form, {
    completedAt: now,
    passwordHash: '',
    name: '',
    phone: null,
    address: null,
    codeHash: null,
  })
  await queueMail(ctx, {
    template: welcomeMail,
    to: form.email,
    memberId,
    locale: form.locale,
    data: { name: form.name },
    once: `welcome:${memberId}`,
  })
  await emit(ctx, 'memberJoined', { memberId })
  return {
    login: await openSession(ctx, { memberId, device, address }),
    deviceToken: createDeviceToken(secret, accountOf(ctx, form.email), deviceToken, clock.now()),
  }
}

const memberOf = (
  { customerId, email, emailLower, passwordHash, name, phone, address, locale, marketing }: JoinRow,
  id: MemberId,
  createdAt: string,
) => ({ customerId, id, email, emailLower, passwordHash, name, phone, address, locale, marketing, createdAt })

/** The consents given with the form, in the versions of that time. */
const consentsOf = ({ termsVersion, privacyVersion, marketing, createdAt }: JoinRow): Consent[] => {
  const consent = { granted: true, at: createdAt }
  return [
    { type: 'TERMS', version: termsVersion, ...consent },
    { type: 'PRIVACY', version: privacyVersion, ...consent },
    { type: 'AGE', version: ageVersion, ...consent },
    ...(marketing ? [{ type: 'MARKETING', version: privacyVersion, ...consent } as const] : []),
  ]
}
