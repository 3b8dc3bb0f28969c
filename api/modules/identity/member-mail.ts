import { type MailCtx, type MailReason, queueMail } from '#api/modules/mail/mails.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import { readAddressee } from './identity.queries.ts'

/**
 * Writes a mail to a member into the running transaction, at their address and in their language; one who has chosen none reads
 * `locale`, or the store's language. A member who has left gets none.
 */
export const queueMemberMail = async <Data>(
  ctx: MailCtx,
  memberId: MemberId,
  { locale = null, ...reason }: MailReason<Data> & { locale?: Locale | null },
) => {
  const addressee = await readAddressee(ctx.db, ctx.customer.id, memberId)
  if (addressee) await queueMail(ctx, { ...reason, memberId, to: addressee.email, locale: addressee.locale ?? locale })
}
