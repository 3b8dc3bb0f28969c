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
  inquiryTypes: procedure('member', 'GET', '/inquiries/types', { tag, summary: 'List inquiry types' }).output(
    z.object({ items: z.array(inquiryType) }),
  ),
  inquiries: procedure('member', 'GET', '/inquiries', {
    tag,
    summary: 'List inquiries',
    description: 'Returns the latest inquiries first.',
  })
    .input(inquiryQuery)
    .output(inquiryPage),
  inquiry: procedure('member', 'GET', '/inquiries/{code}', {
    tag,
    summary: 'Retrieve an inquiry',
    description: 'Returns the inquiry with its replies and files.',
  })
    .input(inquiryPath)
    .output(inquiry),
  createInquiry: procedure('member', 'POST', '/inquiries', { tag, summary: 'Create an inquiry', status: 201 })
    .input(inquiryBody)
    .output(inquiry),
  reply: procedure('member', 'POST', '/inquiries/{code}/replies', {
    tag,
    summary: 'Reply to an inquiry',
    description: 'A reply reopens the inquiry.',
    status: 201,
  })
    .input(inquiryReply)
    .output(inquiry),
  sendFile: procedure('member', 'POST', '/inquiries/files', {
    tag,
    summary: 'Upload a file for an inquiry',
    description:
      'Send multipart/form-data with one part `file` of at most 10 MB. A file that is not attached to an inquiry or a reply is deleted after a day.',
    status: 201,
  })
    .input(inquiryUpload)
    .output(inquiryFile),
}
