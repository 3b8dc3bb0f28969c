import * as z from 'zod/mini'
import {
  inquiry,
  inquiryBody,
  inquiryFile,
  inquiryPage,
  inquiryPath,
  inquiryQuery,
  inquiryReply,
  inquiryType,
  inquiryUpload,
} from '../support.ts'
import { procedure } from './procedure.ts'

const tag = 'Support'

export const supportProcedures = {
  inquiryTypes: procedure('member', 'GET', '/inquiries/types', { tag, summary: 'The types of inquiries' }).output(
    z.object({ items: z.array(inquiryType) }),
  ),
  inquiries: procedure('member', 'GET', '/inquiries', { tag, summary: "The member's inquiries, latest first" })
    .input(inquiryQuery)
    .output(inquiryPage),
  inquiry: procedure('member', 'GET', '/inquiries/{code}', { tag, summary: 'One inquiry with its replies and files' })
    .input(inquiryPath)
    .output(inquiry),
  createInquiry: procedure('member', 'POST', '/inquiries', { tag, summary: 'Send an inquiry', status: 201 })
    .input(inquiryBody)
    .output(inquiry),
  reply: procedure('member', 'POST', '/inquiries/{code}/replies', {
    tag,
    summary: 'Reply: the inquiry is open again',
    status: 201,
  })
    .input(inquiryReply)
    .output(inquiry),
  sendFile: procedure('member', 'POST', '/inquiries/files', {
    tag,
    summary: 'Send a file that a message will carry',
    description:
      'multipart/form-data with one part `file`, 10 MB at most. One that no message takes up is removed after a day.',
    status: 201,
  })
    .input(inquiryUpload)
    .output(inquiryFile),
}
