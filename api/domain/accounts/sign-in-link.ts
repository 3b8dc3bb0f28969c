import type { Ctx } from '#api/context.ts'
import { findCredentials } from '#api/db/queries/members.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { signInLinkMail } from '#api/mail/templates/sign-in-link.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Account } from './known-source.ts'

/**
 * Sends a member the link that lets them sign in with their password on a device the store does not know yet, while others try that
 * password. An e-mail nobody has gets nothing.
 */
export const sendSignInLink = async (
  ctx: Ctx,
  { emailLower }: Pick<Account, 'emailLower'>,
  link: { key: string; minutes: number },
  locale: Locale,
) => {
  const member = await findCredentials(ctx.db, ctx.customer.id, emailLower)
  if (member) await queueMemberMail(ctx, member.id, { template: signInLinkMail, data: link, locale })
}
