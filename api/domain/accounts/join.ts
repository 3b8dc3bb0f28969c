import type { Ctx } from '#api/context.ts'
import { appendConsents, type Consent } from '#api/db/queries/consents.ts'
import { changeJoin, type JoinRow } from '#api/db/queries/joins.ts'
import { members } from '#api/db/schema/accounts.ts'
import { newId } from '#api/db/uuid.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import { queueMail } from '#api/domain/mail/queue-mail.ts'
import { welcomeMail } from '#api/mail/templates/welcome.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import { openJoin } from './join-stage.ts'
import { openSession } from './open-session.ts'

/** Fourteen years, the age from which one consents for oneself. */
const ageVersion = '14'

/**
 * Makes the member whose e-mail was confirmed, once: with the evidence of each consent, signed in on this device, and the guest's
 * traces theirs. GONE for a join that is done, CONFLICT before the code or where somebody else finished with that e-mail first.
 */
export const join = async (
  ctx: Ctx,
  { token, device, address }: { token: string; device: string; address: string },
) => {
  const { customer, db, clock } = ctx
  if (!customer.settings.operation.useJoin) return failure('JOIN_DISABLED')
  const form = await openJoin(ctx, token)
  if (isFailure(form)) return form
  if (form.completedAt) return failure('GONE')
  if (!form.verifiedAt) return failure('CONFLICT')
  const now = clock.now().toISOString()
  const memberId = await insertMember(ctx, form, now)
  if (!memberId) return failure('CONFLICT')
  await appendConsents(db, customer.id, memberId, consentsOf(form))
  // What is left of the form is what the page that follows may show.
  await changeJoin(db, form, {
    completedAt: now,
    passwordHash: '',
    name: '',
    phone: null,
    address: null,
    codeHash: null,
  })
  await queueMail(ctx, {
    ...{ template: welcomeMail, to: form.email, memberId, locale: form.locale as Locale },
    ...{ data: { name: form.name }, once: `welcome:${memberId}` },
  })
  return { email: form.email, ...(await openSession(ctx, { memberId, device, address })) }
}

const insertMember = async ({ customer, db }: Ctx, form: JoinRow, now: string): Promise<MemberId | null> => {
  const id = newId<MemberId>()
  const inserted = await db
    .insert(members)
    .values({
      customerId: customer.id,
      id,
      email: form.email,
      emailLower: form.emailLower,
      passwordHash: form.passwordHash,
      name: form.name,
      phone: form.phone,
      address: form.address,
      locale: form.locale,
      marketing: form.marketing,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: members.id })
  return inserted.length === 0 ? null : id
}

/** Agreed to when the form was sent, in the versions of that moment. */
const consentsOf = ({ termsVersion, privacyVersion, marketing, createdAt }: JoinRow): Consent[] => {
  const given = { granted: true, at: createdAt }
  return [
    { type: 'TERMS', version: termsVersion, ...given },
    { type: 'PRIVACY', version: privacyVersion, ...given },
    { type: 'AGE', version: ageVersion, ...given },
    ...(marketing ? [{ type: 'MARKETING', version: privacyVersion, ...given } as const] : []),
  ]
}
