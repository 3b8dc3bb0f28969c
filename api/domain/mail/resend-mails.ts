import type { Ctx } from '#api/context.ts'
import { announceMail, lockUnsentMails, type MailListing, requeueMails } from '#api/db/queries/mails.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { joinCodeMail } from '#api/mail/templates/join-code.ts'
import { passwordResetMail } from '#api/mail/templates/password-reset.ts'
import { signInLinkMail } from '#api/mail/templates/sign-in-link.ts'

const mostAtOnce = 1000

/** Mails whose code or key is of no use after ten minutes: their readers ask for a new one. */
const shortLived: readonly string[] = [joinCodeMail.name, passwordResetMail.name, signInLinkMail.name]
const usefulMilliseconds = 10 * 60_000

/**
 * Puts mails that did not leave in the queue again: one by its id, or with null every failed one, at most 1,000. Answers how many, and how
 * many are past their use. NOT_FOUND: no such mail. VALIDATION_FAILED: it has left, or waits already.
 */
export const resendMails = async (
  ctx: Ctx,
  by: AuditActor,
  id: string | null,
): Promise<{ queued: number; expired: number } | Failure> => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const found = await lockUnsentMails(db, customer.id, id, mostAtOnce)
  if (id !== null) {
    const [mail] = found
    if (!mail) return failure('NOT_FOUND')
    const reason = whyNot(mail)
    if (reason) return failure('VALIDATION_FAILED', { errors: { id: [reason] } })
  }
  const isUseful = ({ template, createdAt }: (typeof found)[number]) =>
    !shortLived.includes(template) || now.getTime() - Date.parse(createdAt) < usefulMilliseconds
  const useful = found.filter(isUseful).map((mail) => mail.id)
  if (useful.length > 0) {
    await requeueMails(db, customer.id, useful, now)
    await announceMail(db, customer.id)
    const subject = id === null ? 'mails:failed' : `mail:${id}`
    await audit(ctx, { actor: by, action: 'mail.resent', subject, detail: { mails: useful.length } })
  }
  return { queued: useful.length, expired: found.length - useful.length }
}

const whyNot = ({ status }: Pick<MailListing, 'status'>) => {
  if (status === 'SENT') return 'This mail has left, and its text was erased then: it cannot be sent again.'
  return status === 'QUEUED' ? 'This mail waits to be sent already.' : null
}
