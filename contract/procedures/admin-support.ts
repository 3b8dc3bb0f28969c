import { storeMail, storeMailPage, storeMailPath, storeMailQuery, storeTestMail } from '../admin/mails.ts'
import {
  blockedPhrases,
  blockedPhrasesChange,
  caseClose,
  caseQuery,
  caseQueue,
  commentHide,
  commentPath,
  commentQueue,
  commentReply,
  inquiryAnswer,
  inquiryQueue,
  storeInquiry,
  storeInquiryFile,
  storeInquiryFilePath,
  storeInquiryPath,
} from '../admin/queues.ts'
import { procedure } from './procedure.ts'

const comments = { tag: 'Admin: comments', permission: 'comments:write' } as const
const inquiries = { tag: 'Admin: inquiries', permission: 'inquiries:read' } as const

export const commentProcedures = {
  queue: procedure('operator', 'GET', '/admin/comments', {
    ...comments,
    permission: 'comments:read',
    summary: 'List comments to review',
    description: 'Returns held and reported comments, the longest waiting first, at most 200.',
  }).output(commentQueue),
  approve: procedure('operator', 'POST', '/admin/comments/{id}/approve', {
    ...comments,
    summary: 'Publish a comment and close its reports',
    status: 204,
  }).input(commentPath),
  hide: procedure('operator', 'POST', '/admin/comments/{id}/hide', {
    ...comments,
    summary: 'Hide a comment and close its reports',
    status: 204,
  }).input(commentHide),
  reply: procedure('operator', 'POST', '/admin/comments/{id}/replies', {
    ...comments,
    summary: 'Reply to a comment in the store’s name',
    status: 204,
  }).input(commentReply),
  blockedPhrases: procedure('operator', 'GET', '/admin/comments/blocked-phrases', {
    ...comments,
    permission: 'comments:read',
    summary: 'Retrieve the words that hold a comment',
  }).output(blockedPhrases),
  changeBlockedPhrases: procedure('operator', 'PUT', '/admin/comments/blocked-phrases', {
    ...comments,
    summary: 'Replace the words that hold a comment',
    description:
      'Needs `If-Match`. A comment that is written or edited later and contains one of the words or phrases is held. Case, forms of letters and invisible characters make no difference. A word counts as a whole word, and in Korean, Japanese, Chinese and Thai also within others.',
  })
    .input(blockedPhrasesChange)
    .output(blockedPhrases),
}

export const inquiryProcedures = {
  queue: procedure('operator', 'GET', '/admin/inquiries', {
    ...inquiries,
    summary: 'List inquiries that await an answer',
    description: 'Returns the longest waiting first.',
  }).output(inquiryQueue),
  get: procedure('operator', 'GET', '/admin/inquiries/{code}', {
    ...inquiries,
    summary: 'Retrieve an inquiry with its messages',
  })
    .input(storeInquiryPath)
    .output(storeInquiry),
  file: procedure('operator', 'GET', '/admin/inquiries/{code}/files/{id}', {
    ...inquiries,
    summary: 'Download a file of an inquiry',
  })
    .input(storeInquiryFilePath)
    .output(storeInquiryFile),
  answer: procedure('operator', 'POST', '/admin/inquiries/{code}/answers', {
    ...inquiries,
    permission: 'inquiries:write',
    summary: 'Answer an inquiry',
    description: 'Needs `If-Match`. The member gets the answer by email.',
    status: 204,
  }).input(inquiryAnswer),
}

export const caseProcedures = {
  list: procedure('operator', 'GET', '/admin/cases', {
    tag: 'Admin: cases',
    permission: 'inquiries:read',
    summary: 'List cases',
    description: 'Returns the oldest first, at most 200.',
  })
    .input(caseQuery)
    .output(caseQueue),
  close: procedure('operator', 'POST', '/admin/cases/{id}/close', {
    tag: 'Admin: cases',
    permission: 'inquiries:write',
    summary: 'Close a case that was resolved elsewhere',
    status: 204,
  }).input(caseClose),
}

export const mailProcedures = {
  list: procedure('operator', 'GET', '/admin/mails', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'List emails',
    description: 'Returns the latest first.',
  })
    .input(storeMailQuery)
    .output(storeMailPage),
  get: procedure('operator', 'GET', '/admin/mails/{id}', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'Retrieve an email',
    description:
      'With its subject and text as they were sent. They are null in emails with a code or a link for the recipient alone, and after 90 days the email is deleted.',
  })
    .input(storeMailPath)
    .output(storeMail),
  resend: procedure('operator', 'POST', '/admin/mails/{id}/resend', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send a failed email again',
    status: 204,
  }).input(storeMailPath),
  sendTest: procedure('operator', 'POST', '/admin/mails/test', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send a test email',
    description:
      'It goes the way of all emails; the list of emails shows what became of it. At most one a minute for an address.',
    status: 204,
  }).input(storeTestMail),
}
