import {
  inquiryAnswer,
  inquiryAssignment,
  inquiryAssignmentResult,
  inquiryAssignments,
  inquiryClose,
  inquiryDraft,
  inquiryFacets,
  inquiryTopics,
  inquiryTopicsChange,
  savedReplies,
  savedReply,
  savedReplyChange,
  savedReplyForm,
  savedReplyPath,
  storeInquiry,
  storeInquiryExport,
  storeInquiryFile,
  storeInquiryFilePath,
  storeInquiryPage,
  storeInquiryPath,
  storeInquiryQuery,
  storeInquiryUpload,
  storeInquiryUploaded,
} from '../admin/inquiries.ts'
import { csvFile } from '../admin/lists.ts'
import {
  blockedPhrases,
  blockedPhrasesChange,
  caseClose,
  caseExport,
  caseQuery,
  caseQueue,
  commentApproval,
  commentExport,
  commentHide,
  commentList,
  commentListQuery,
  commentQueue,
  commentReply,
  commentsChange,
  commentsChangeResult,
  commentsRestore,
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
  list: procedure('operator', 'GET', '/admin/comments/all', {
    ...comments,
    permission: 'comments:read',
    summary: 'List comments',
    description: 'Returns comments in any state, the latest first.',
  })
    .input(commentListQuery)
    .output(commentList),
  export: procedure('operator', 'GET', '/admin/comments.csv', {
    ...comments,
    permission: 'comments:read',
    summary: 'Export comments as CSV',
    description:
      'Returns all comments that fit the filters as a stream, without the texts that their authors have deleted. The audit log names the export.',
  })
    .input(commentExport)
    .output(csvFile),
  changeMany: procedure('operator', 'POST', '/admin/comments/bulk', {
    ...comments,
    summary: 'Publish, hide or hold comments',
    description:
      'To publish or hide a comment closes its reports. Each comment is changed by itself, and the answer has a result for each: UNCHANGED for one that is so already, DELETED for one that its author has deleted, VERSION_CONFLICT for one whose text was changed since `editedAt`.',
  })
    .input(commentsChange)
    .output(commentsChangeResult),
  restoreMany: procedure('operator', 'POST', '/admin/comments/bulk/restore', {
    ...comments,
    summary: 'Restore comments as they were before a change',
    description:
      'Takes the `before` of the results of such a change. A comment about which was decided since, or that its author has edited or deleted, is left as it is, and its result says so.',
  })
    .input(commentsRestore)
    .output(commentsChangeResult),
  approve: procedure('operator', 'POST', '/admin/comments/{id}/approve', {
    ...comments,
    summary: 'Publish a comment and close its reports',
    status: 204,
  }).input(commentApproval),
  hide: procedure('operator', 'POST', '/admin/comments/{id}/hide', {
    ...comments,
    summary: 'Hide a comment and close its reports',
    status: 204,
  }).input(commentHide),
  reply: procedure('operator', 'POST', '/admin/comments/{id}/replies', {
    ...comments,
    summary: 'Reply to a comment in the store’s name',
    description:
      'Visitors read it at once. Answers CONFLICT for a comment that visitors cannot see. With `approves` a held comment is published together with the reply.',
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
    versioned: true,
    description:
      'A comment that is written or edited later and contains one of the words or phrases is held. Case, forms of letters and invisible characters make no difference. A word counts as a whole word, and in Korean, Japanese, Chinese and Thai also within others.',
  })
    .input(blockedPhrasesChange)
    .output(blockedPhrases),
}

const answering = { tag: 'Admin: inquiries', permission: 'inquiries:write' } as const

export const inquiryProcedures = {
  list: procedure('operator', 'GET', '/admin/inquiries', {
    ...inquiries,
    summary: 'List inquiries',
    description:
      'Returns those that await an answer, the longest waiting first, or those that are answered, closed or in any status, the latest first.',
  })
    .input(storeInquiryQuery)
    .output(storeInquiryPage),
  export: procedure('operator', 'GET', '/admin/inquiries.csv', {
    ...inquiries,
    summary: 'Export inquiries as CSV',
    description:
      'Returns all inquiries that fit the filters, without their messages, as a stream. The audit log names the export.',
  })
    .input(storeInquiryExport)
    .output(csvFile),
  facets: procedure('operator', 'GET', '/admin/inquiries/facets', {
    ...inquiries,
    summary: 'List the staff who answer inquiries, and the topics',
  }).output(inquiryFacets),
  assignMany: procedure('operator', 'POST', '/admin/inquiries/assignments', {
    ...answering,
    summary: 'Assign inquiries',
    description: 'Each inquiry is assigned by itself, and the answer has a result for each.',
  })
    .input(inquiryAssignments)
    .output(inquiryAssignmentResult),
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
  sendFile: procedure('operator', 'POST', '/admin/inquiries/{code}/files', {
    ...answering,
    summary: 'Upload a file for an answer',
    description: 'The answer names it. A file that no answer names within a day is deleted.',
    status: 201,
  })
    .input(storeInquiryUpload)
    .output(storeInquiryUploaded),
  assign: procedure('operator', 'PUT', '/admin/inquiries/{code}/assignee', {
    ...answering,
    summary: 'Assign an inquiry',
    versioned: true,
    status: 204,
  }).input(inquiryAssignment),
  saveDraft: procedure('staff', 'PUT', '/admin/inquiries/{code}/draft', {
    ...answering,
    summary: 'Keep the answer that the caller has begun',
    description: 'An empty text ends it, as the answer does. Others see who writes, and not what.',
    status: 204,
  }).input(inquiryDraft),
  answer: procedure('operator', 'POST', '/admin/inquiries/{code}/answers', {
    ...answering,
    summary: 'Answer an inquiry',
    versioned: true,
    description:
      'The member gets the answer by email. An inquiry that nobody was assigned to is assigned to who answers.',
    status: 204,
  }).input(inquiryAnswer),
  close: procedure('operator', 'POST', '/admin/inquiries/{code}/close', {
    ...answering,
    summary: 'Close an inquiry without an answer',
    versioned: true,
    description:
      'The member gets no email, sees the inquiry as closed, and opens it again with another message. Answers CONFLICT for one that awaits no answer.',
    status: 204,
  }).input(inquiryClose),
  reopen: procedure('operator', 'POST', '/admin/inquiries/{code}/reopen', {
    ...answering,
    summary: 'Open an answered or closed inquiry again',
    versioned: true,
    description: 'It awaits an answer again, also for the member. Answers CONFLICT for one that does so already.',
    status: 204,
  }).input(storeInquiryPath),
}

export const savedReplyProcedures = {
  list: procedure('operator', 'GET', '/admin/saved-replies', {
    ...inquiries,
    summary: 'List saved replies',
    description: 'Returns them by title.',
  }).output(savedReplies),
  create: procedure('operator', 'POST', '/admin/saved-replies', {
    ...answering,
    summary: 'Save a reply',
    description: 'A store can have 200.',
    status: 201,
  })
    .input(savedReplyForm)
    .output(savedReply),
  change: procedure('operator', 'PATCH', '/admin/saved-replies/{id}', {
    ...answering,
    summary: 'Change a saved reply',
    versioned: true,
  })
    .input(savedReplyChange)
    .output(savedReply),
  delete: procedure('operator', 'DELETE', '/admin/saved-replies/{id}', {
    ...answering,
    summary: 'Delete a saved reply',
    versioned: true,
    status: 204,
  }).input(savedReplyPath),
}

export const inquiryTopicProcedures = {
  read: procedure('operator', 'GET', '/admin/inquiry-topics', {
    ...inquiries,
    summary: 'Retrieve the topics of inquiries',
    description: 'Hidden ones too, each with the number of inquiries that have it.',
  }).output(inquiryTopics),
  change: procedure('operator', 'PUT', '/admin/inquiry-topics', {
    ...answering,
    summary: 'Replace the topics of inquiries',
    versioned: true,
    description:
      'Takes all topics in their order, those without `code` as new ones, and deletes what is left out. Answers VALIDATION_FAILED for a topic to delete that inquiries have: hide it instead. Their inquiries keep hidden topics.',
  })
    .input(inquiryTopicsChange)
    .output(inquiryTopics),
}

export const caseProcedures = {
  list: procedure('operator', 'GET', '/admin/cases', {
    tag: 'Admin: cases',
    permission: 'inquiries:read',
    summary: 'List cases',
    description: 'Returns open ones with the oldest first, or closed ones with the latest first.',
  })
    .input(caseQuery)
    .output(caseQueue),
  export: procedure('operator', 'GET', '/admin/cases.csv', {
    tag: 'Admin: cases',
    permission: 'inquiries:read',
    summary: 'Export cases as CSV',
    description: 'Returns all open or closed cases, in the order of the list, as a stream. The audit log names it.',
  })
    .input(caseExport)
    .output(csvFile),
  close: procedure('operator', 'POST', '/admin/cases/{id}/close', {
    tag: 'Admin: cases',
    permission: 'inquiries:write',
    summary: 'Close a case that was resolved elsewhere',
    status: 204,
  }).input(caseClose),
}
