import type { Ctx } from '#api/context.ts'
import { announceMail, readAddressee } from '#api/db/queries/mails.ts'
import { mails } from '#api/db/schema/mails.ts'
import { newId } from '#api/db/uuid.ts'
import { renderMail } from '#api/mail/render.ts'
import type { MailTemplate } from '#api/mail/template.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'

interface Reason<Data> {
  template: MailTemplate<Data>
  data: Data
  /** Names the reason (`receipt:{orderId}`), where there must be one mail for it at most. */
  once?: string
}

export interface MailWish<Data> extends Reason<Data> {
  to: string
  memberId: MemberId | null
  /** The reader's language; null for the store's own. */
  locale: Locale | null
}

type MailCtx = Pick<Ctx, 'customer' | 'db' | 'clock'>

/** Writes a mail into the running transaction: it leaves soon after the transaction holds, and not at all if it does not. */
export const queueMail = async <Data>(ctx: MailCtx, wish: MailWish<Data>) => {
  const { customer, db, clock } = ctx
  const locale = wish.locale ?? customer.settings.base.locale
  const now = clock.now().toISOString()
  await db
    .insert(mails)
    .values({
      customerId: customer.id,
      id: newId(),
      memberId: wish.memberId,
      to: wish.to,
      locale,
      template: wish.template.name,
      once: wish.once ?? null,
      ...renderMail(wish.template, customer, locale, wish.data),
      createdAt: now,
      dueAt: now,
    })
    .onConflictDoNothing({ target: [mails.customerId, mails.once] })
  await announceMail(db, customer.id)
}

/**
 * The same to a member, at their address and in their language; one who has chosen none reads `locale`, or the store's. A member who has
 * left gets none.
 */
export const queueMemberMail = async <Data>(
  ctx: MailCtx,
  memberId: MemberId,
  { locale = null, ...reason }: Reason<Data> & { locale?: Locale | null },
) => {
  const addressee = await readAddressee(ctx.db, ctx.customer.id, memberId)
  if (addressee) await queueMail(ctx, { ...reason, memberId, to: addressee.email, locale: addressee.locale ?? locale })
}
