import { auditPage, auditQuery } from '../admin/audit.ts'
import { changeStream, changesQuery } from '../admin/changes.ts'
import { home } from '../admin/home.ts'
import { categoryProcedures, importProcedures, planProcedures, productProcedures } from './admin-catalog.ts'
import { memberProcedures } from './admin-identity.ts'
import { managedStoreProcedures } from './admin-installation.ts'
import { depositProcedures, orderProcedures, subscriptionProcedures } from './admin-orders.ts'
import {
  caseProcedures,
  commentProcedures,
  inquiryProcedures,
  mailProcedures,
  savedReplyProcedures,
} from './admin-support.ts'
import { domainProcedures, paymentAccountProcedures, settingsProcedures, storeProcedures } from './admin-tenancy.ts'
import {
  addPictureProcedure,
  bannerProcedures,
  faqProcedures,
  noticeProcedures,
  pageProcedures,
  previewProcedure,
} from './content.ts'
import { videoProcedures } from './media.ts'
import { procedure } from './procedure.ts'

/** The first screen of the console. */
const homeProcedure = procedure('operator', 'GET', '/admin/home', {
  tag: 'Admin: home',
  permission: 'orders:read',
  summary: 'Retrieve today’s figures and what waits',
}).output(home)

/** What is in progress, without polling. */
const changesProcedure = procedure('operator', 'GET', '/admin/changes', {
  tag: 'Admin: home',
  summary: 'Stream changes',
  description:
    'A stream of server-sent events. `ready` says that it has begun, or that changes may have been missed. `lost` says that none are sent until the next `ready`. `change` names what has changed: `home`, `mails`, `videos` or `webhooks`, each for callers with its permission; without any of them the answer is FORBIDDEN. The stream ends after `seconds`; connect again to go on. The eleventh stream of a caller ends its oldest one, and a store with too many is answered RATE_LIMITED.',
})
  .input(changesQuery)
  .output(changeStream)

/** Procedures of operators: what the console shows and changes. */
export const adminProcedures = {
  audit: procedure('operator', 'GET', '/admin/audit', {
    tag: 'Admin: audit',
    permission: 'audit:read',
    summary: 'List the audit log',
    description: 'Returns the latest entries first. With `subject` it is the history of one object.',
  })
    .input(auditQuery)
    .output(auditPage),
  orders: orderProcedures,
  deposits: depositProcedures,
  subscriptions: subscriptionProcedures,
  members: memberProcedures,
  comments: commentProcedures,
  inquiries: inquiryProcedures,
  savedReplies: savedReplyProcedures,
  cases: caseProcedures,
  mails: mailProcedures,
  products: productProcedures,
  categories: categoryProcedures,
  imports: importProcedures,
  videos: videoProcedures,
  plans: planProcedures,
  settings: settingsProcedures,
  store: storeProcedures,
  stores: managedStoreProcedures,
  domains: domainProcedures,
  paymentAccounts: paymentAccountProcedures,
  notices: noticeProcedures,
  faq: faqProcedures,
  pages: pageProcedures,
  banners: bannerProcedures,
  previewHtml: previewProcedure,
  addPicture: addPictureProcedure,
  home: homeProcedure,
  changes: changesProcedure,
}
