import type { MemberCtx } from '#api/context.ts'
import { appendConsents, latestConsent } from '#api/db/queries/consents.ts'
import { changeMember, findMember } from '#api/db/queries/members.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import type { Profile, ProfileChange } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { invalid } from './field-words.ts'
import { pageVersion } from './page-version.ts'
import { readPhone } from './phone.ts'
import { isPlainLine } from './plain-line.ts'

/** What the store knows of the member. `marketingAt` is when they last said yes or no. */
export const getProfile = async ({ customer, actor, db }: MemberCtx) => {
  const member = await findMember(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const marketing = await latestConsent(db, customer.id, actor.memberId, 'MARKETING')
  return {
    email: member.email,
    name: member.name,
    phone: member.phone,
    address: member.address,
    locale: member.locale as Locale | null,
    marketing: member.marketing,
    marketingAt: marketing?.at ?? null,
    createdAt: member.createdAt,
  } satisfies Profile
}

/** Changes what is given and leaves the rest. A yes or no to marketing is kept as evidence, with its time and version. */
export const changeProfile = async (ctx: MemberCtx, wish: ProfileChange, language: Locale) => {
  const { customer, actor, db, clock } = ctx
  const values = valuesOf(ctx, wish, language)
  if (isFailure(values)) return values
  const member = await findMember(db, customer.id, actor.memberId, { lock: true })
  if (!member) return failure('SESSION_EXPIRED')
  if (Object.keys(values).length > 0) await changeMember(db, customer.id, actor.memberId, values)
  if (wish.marketing !== undefined && wish.marketing !== member.marketing)
    await appendConsents(db, customer.id, actor.memberId, [
      {
        type: 'MARKETING',
        version: await pageVersion(ctx, 'privacy'),
        granted: wish.marketing,
        at: clock.now().toISOString(),
      },
    ])
  return getProfile(ctx)
}

const valuesOf = ({ customer }: MemberCtx, wish: ProfileChange, language: Locale) => {
  const { name, phone, address, locale, marketing } = wish
  if (name !== undefined && !isPlainLine(name)) return invalid(language, 'name', 'name')
  if (locale !== undefined && !customer.settings.base.locales.includes(locale))
    return invalid(language, 'locale', 'locale')
  const kept = typeof phone === 'string' ? readPhone(phone, customer.settings) : phone
  if (typeof phone === 'string' && kept === null) return invalid(language, 'phone', 'phone')
  return {
    ...(name !== undefined && { name }),
    ...(kept !== undefined && { phone: kept }),
    ...(address !== undefined && { address: address && { ...address, detail: address.detail ?? '' } }),
    ...(locale !== undefined && { locale }),
    ...(marketing !== undefined && { marketing }),
  }
}
