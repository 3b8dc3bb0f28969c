import { auditExport, auditPage, auditQuery } from '../admin/audit.ts'
import { bulkCount, bulkJobPath, bulkJobReport, bulkJobs, bulkSelection, bulkStart } from '../admin/bulk.ts'
import { changeStream, changesQuery } from '../admin/changes.ts'
import { storeNoticeCount } from '../admin/content.ts'
import { depositExport } from '../admin/deposits.ts'
import { storeInquiryExport } from '../admin/inquiries.ts'
import { csvFile, listCount } from '../admin/lists.ts'
import { storeMailExport, suppressedExport } from '../admin/mails.ts'
import { storeMemberExport } from '../admin/members.ts'
import { storeOrderExport } from '../admin/orders.ts'
import { storeProductExport } from '../admin/products.ts'
import { caseExport, commentExport } from '../admin/queues.ts'
import { storeSubscriptionExport } from '../admin/subscriptions.ts'
import { tableJob, tableJobPath, tableJobs } from '../admin/table-jobs.ts'
import { storeVideoExport } from '../admin/videos.ts'
import { categoryProcedures, importProcedures, planProcedures, productProcedures } from './admin-catalog.ts'
import { memberProcedures } from './admin-identity.ts'
import { managedStoreProcedures } from './admin-installation.ts'
import { mailProcedures, mailServerProcedures } from './admin-mail.ts'
import { depositProcedures, orderProcedures, subscriptionProcedures } from './admin-orders.ts'
import {
  caseProcedures,
  commentProcedures,
  inquiryProcedures,
  inquiryTopicProcedures,
  savedReplyProcedures,
} from './admin-support.ts'
import {
  domainProcedures,
  homeProcedure,
  paymentAccountProcedures,
  settingsProcedures,
  storeProcedures,
} from './admin-tenancy.ts'
import {
  addPictureProcedure,
  bannerProcedures,
  faqProcedures,
  noticeProcedures,
  pageProcedures,
  previewProcedure,
} from './content.ts'
import { videoProcedures } from './media.ts'
import { countProcedure, procedure } from './procedure.ts'

/** What is in progress, without polling. */
const changesProcedure = procedure('operator', 'GET', '/admin/changes', {
  tag: 'Admin: home',
  summary: 'Stream changes',
  description:
    'A stream of server-sent events. `ready` says that it has begun, or that changes may have been missed. `lost` says that none are sent until the next `ready`. `change` names what has changed: `home`, `mails`, `videos`, `webhooks`, `bulk` or `tables`, each for callers with its permission; without any of them the answer is FORBIDDEN. The stream ends after `seconds`; connect again to go on. The eleventh stream of a caller ends its oldest one, and a store with too many is answered RATE_LIMITED.',
})
  .input(changesQuery)
  .output(changeStream)

const jobs = { tag: 'Admin: changes of many' } as const
const ofKinds = 'Each kind needs the permission to change what it changes.'

/** Changes of all objects that fit filters, as jobs. */
const bulkProcedures = {
  count: procedure('operator', 'POST', '/admin/bulk-jobs/count', {
    ...jobs,
    summary: 'Count what fits filters',
    description: ofKinds,
  })
    .input(bulkSelection)
    .output(bulkCount),
  start: procedure('operator', 'POST', '/admin/bulk-jobs', {
    ...jobs,
    summary: 'Change everything that fits filters',
    description: `The objects are chosen when it begins, at most 100,000, and changed one after the other in the background. ${ofKinds} It is checked again for each part.`,
    status: 201,
  })
    .input(bulkStart)
    .output(bulkJobReport.shape.job),
  list: procedure('operator', 'GET', '/admin/bulk-jobs', {
    ...jobs,
    summary: 'List changes of many',
    description: 'Returns those of the last 30 days that the caller may begin, the latest first.',
  }).output(bulkJobs),
  get: procedure('operator', 'GET', '/admin/bulk-jobs/{id}', {
    ...jobs,
    summary: 'Retrieve a change of many with its failures',
    description: ofKinds,
  })
    .input(bulkJobPath)
    .output(bulkJobReport),
  cancel: procedure('operator', 'POST', '/admin/bulk-jobs/{id}/cancel', {
    ...jobs,
    summary: 'Cancel a change of many',
    description: `What is changed stays so. ${ofKinds}`,
  })
    .input(bulkJobPath)
    .output(bulkJobReport.shape.job),
  undo: procedure('operator', 'POST', '/admin/bulk-jobs/{id}/undo', {
    ...jobs,
    summary: 'Undo a change of many',
    description: `Another job restores what nobody has changed since. ${ofKinds}`,
    status: 201,
  })
    .input(bulkJobPath)
    .output(bulkJobReport.shape.job),
  retry: procedure('operator', 'POST', '/admin/bulk-jobs/{id}/retry', {
    ...jobs,
    summary: 'Try what failed in a change of many again',
    description: `Another job makes the same change of the objects that failed, as they are now. ${ofKinds}`,
    status: 201,
  })
    .input(bulkJobPath)
    .output(bulkJobReport.shape.job),
}

/** How many objects the lists have that are read page by page. */
const countProcedures = {
  orders: countProcedure('orders', 'orders:read').input(storeOrderExport).output(listCount),
  deposits: countProcedure('deposits', 'orders:read').input(depositExport).output(listCount),
  subscriptions: countProcedure('subscriptions', 'orders:read').input(storeSubscriptionExport).output(listCount),
  members: countProcedure('members', 'members:read').input(storeMemberExport).output(listCount),
  products: countProcedure('products', 'products:read').input(storeProductExport).output(listCount),
  comments: countProcedure('comments', 'comments:read').input(commentExport).output(listCount),
  inquiries: countProcedure('inquiries', 'inquiries:read').input(storeInquiryExport).output(listCount),
  cases: countProcedure('cases', 'inquiries:read').input(caseExport).output(listCount),
  mails: countProcedure('mails', 'mails:read').input(storeMailExport).output(listCount),
  suppressed: countProcedure('suppressed-addresses', 'mails:read').input(suppressedExport).output(listCount),
  videos: countProcedure('videos', 'videos:read').input(storeVideoExport).output(listCount),
  notices: countProcedure('notices', 'content:read').input(storeNoticeCount).output(listCount),
  audit: countProcedure('audit', 'audit:read', 'audit log entries').input(auditExport).output(listCount),
}

/** Imports and exports that are under way, and those that have ended lately. */
const tableJobProcedures = {
  list: procedure('operator', 'GET', '/admin/table-jobs', {
    tag: 'Admin: imports',
    summary: 'List imports and exports',
    description: 'Returns those of the last 30 days whose tables the caller may read, the latest first.',
  }).output(tableJobs),
  cancel: procedure('operator', 'POST', '/admin/table-jobs/{id}/cancel', {
    tag: 'Admin: imports',
    summary: 'Cancel an import or export',
    description:
      'A canceled import has changed nothing, and the file of a canceled export is incomplete. Needs the permissions of what it cancels. Answers CONFLICT once it has ended.',
  })
    .input(tableJobPath)
    .output(tableJob),
}

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
  auditExport: procedure('operator', 'GET', '/admin/audit.csv', {
    tag: 'Admin: audit',
    permission: 'audit:read',
    summary: 'Export the audit log as CSV',
    description: 'Returns all entries that fit the filters, latest first, as a stream. The audit log names the export.',
  })
    .input(auditExport)
    .output(csvFile),
  orders: orderProcedures,
  deposits: depositProcedures,
  subscriptions: subscriptionProcedures,
  members: memberProcedures,
  comments: commentProcedures,
  inquiries: inquiryProcedures,
  savedReplies: savedReplyProcedures,
  inquiryTopics: inquiryTopicProcedures,
  cases: caseProcedures,
  mails: mailProcedures,
  products: productProcedures,
  categories: categoryProcedures,
  imports: importProcedures,
  counts: countProcedures,
  bulk: bulkProcedures,
  tableJobs: tableJobProcedures,
  videos: videoProcedures,
  plans: planProcedures,
  settings: settingsProcedures,
  store: storeProcedures,
  stores: managedStoreProcedures,
  domains: domainProcedures,
  mailServer: mailServerProcedures,
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
