import type { MailTemplate } from '#api/platform/mail/render.ts'
import * as payments from './modules/billing/mails/payments.ts'
import * as accounts from './modules/identity/mails/accounts.ts'
import * as membership from './modules/identity/mails/membership.ts'
import * as staff from './modules/staff/mails/staff-mails.ts'
import * as subscriptions from './modules/subscriptions/mails/subscriptions.ts'
import * as trials from './modules/subscriptions/mails/trials.ts'
import * as inquiries from './modules/support/mails/inquiries.ts'

/** All mails that a store can send, for the previews. */
export const mailTemplates: readonly MailTemplate<unknown>[] = [
  accounts,
  membership,
  payments,
  staff,
  subscriptions,
  trials,
  inquiries,
].flatMap((file) => Object.values<MailTemplate<unknown>>(file))
