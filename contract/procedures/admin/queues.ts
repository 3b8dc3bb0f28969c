import {
  commentHide,
  commentPath,
  commentQueue,
  commentReply,
  inquiryAnswer,
  inquiryQueue,
  storeInquiry,
  storeInquiryPath,
} from '../../admin/queues.ts'
import { procedure } from '../procedure.ts'

const comments = { tag: 'Admin: comments', permission: 'comments:write' } as const
const inquiries = { tag: 'Admin: inquiries', permission: 'inquiries:read' } as const

export const adminCommentProcedures = {
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
}

export const adminInquiryProcedures = {
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
  answer: procedure('operator', 'POST', '/admin/inquiries/{code}/answers', {
    ...inquiries,
    permission: 'inquiries:write',
    summary: 'Answer an inquiry',
    description: 'The member gets the answer by email.',
    status: 204,
  }).input(inquiryAnswer),
}
