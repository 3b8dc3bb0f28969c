import { auditPage, auditQuery } from '../../admin/audit.ts'
import { procedure } from '../procedure.ts'
import { adminMemberProcedures } from './members.ts'
import { adminOrderProcedures } from './orders.ts'
import {
  adminCaseProcedures,
  adminCommentProcedures,
  adminInquiryProcedures,
  adminMailProcedures,
  homeProcedure,
} from './queues.ts'

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
  orders: adminOrderProcedures,
  members: adminMemberProcedures,
  comments: adminCommentProcedures,
  inquiries: adminInquiryProcedures,
  cases: adminCaseProcedures,
  mails: adminMailProcedures,
  home: homeProcedure,
}
