import { type MailCtx, type MailReason, queueMail } from '#api/modules/mail/mails.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import { readAddressee } from './identity.queries.ts'

/**
 * Queues a mail to a member in the running transaction. Without a chosen language it uses `locale`,
 * or the store's language. A withdrawn member gets none.
 */
export const queueMemberMail = async <Data>(
  ctx: MailCtx,
  memberId: MemberId,
  { locale = null, ...reason }: MailReason<Data> & { locale?: Locale | null },
) => {
  const addressee = await readAddressee(ctx.db, ctx.customer.id, memberId)
  if (addressee) await queueMail(ctx, { ...reason, memberId, to: addressee.email, locale: addressee.locale ?? locale })
}
