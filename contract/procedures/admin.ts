import * as z from 'zod/mini'
import { auditPage, auditQuery } from '../admin/audit.ts'
import {
  depositApplied,
  depositPage,
  depositQuery,
  depositReceived,
  moneyToReturn,
  refundTransfer,
  unappliedMatch,
  unappliedReturn,
} from '../admin/deposits.ts'
import { home } from '../admin/home.ts'
import { csvFile } from '../admin/lists.ts'
import { storeMailPage, storeMailPath, storeMailQuery } from '../admin/mails.ts'
import {
  memberBlock,
  memberEmail,
  memberErasure,
  memberNote,
  memberUnblock,
  storeMember,
  storeMemberExport,
  storeMemberPage,
  storeMemberPath,
  storeMemberQuery,
  titleGrant,
  titleRevocation,
} from '../admin/members.ts'
import {
  cancelRejection,
  complimentaryOrder,
  complimentaryOrdered,
  openRefund,
  orderNote,
  storeOrder,
  storeOrderExport,
  storeOrderPage,
  storeOrderPath,
  storeOrderQuery,
  storeRefund,
  storeRefunded,
} from '../admin/orders.ts'
import {
  posterChoice,
  posterChoices,
  storeAttachmentUpload,
  storeCategories,
  storeCategoryCreate,
  storeCategoryMove,
  storeCategoryPath,
  storeCategoryUpdate,
  storeProduct,
  storeProductBulk,
  storeProductBulkResult,
  storeProductChange,
  storeProductCreate,
  storeProductDuplicate,
  storeProductPage,
  storeProductParts,
  storeProductPartsChange,
  storeProductPath,
  storeProductQuery,
} from '../admin/products.ts'
import {
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
import { storeSettings, storeSettingsChange } from '../admin/settings.ts'
import { storeClose, storePreview, storeStatus } from '../admin/store.ts'
import { memberSubscription, memberSubscriptionCancel, subscriptionEnded } from '../admin/subscriptions.ts'
import {
  bannerProcedures,
  brandPictureProcedure,
  faqProcedures,
  noticeProcedures,
  pageProcedures,
  previewProcedure,
} from './content.ts'
import { procedure } from './procedure.ts'

const orders = { tag: 'Admin: orders', permission: 'orders:read' } as const
const refunds = { ...orders, permission: 'refunds:write' } as const

const orderProcedures = {
  list: procedure('operator', 'GET', '/admin/orders', {
    ...orders,
    summary: 'List orders',
    description: 'Returns the latest orders first. Drafts without a started payment are left out.',
  })
    .input(storeOrderQuery)
    .output(storeOrderPage),
  export: procedure('operator', 'GET', '/admin/orders.csv', {
    ...orders,
    permission: 'orders:write',
    summary: 'Export orders as CSV',
    description: 'Returns all orders that fit the filters, latest first, as a stream. The audit log names the export.',
  })
    .input(storeOrderExport)
    .output(csvFile),
  get: procedure('operator', 'GET', '/admin/orders/{code}', {
    ...orders,
    summary: 'Retrieve an order',
    description: 'Returns its items, payments, refund and timeline, and what the refund rule gives now.',
  })
    .input(storeOrderPath)
    .output(storeOrder),
  refund: procedure('operator', 'POST', '/admin/orders/{code}/refund', {
    ...refunds,
    summary: 'Refund an order, some of its items, or a part of the price of one',
    description:
      'Needs `If-Match`. An order that cost nothing is revoked. Items that the rule does not refund are refunded only with `overridesRule`; without it the answer is REFUND_AGAINST_RULE.',
  })
    .input(storeRefund)
    .output(storeRefunded),
  createComplimentary: procedure('operator', 'POST', '/admin/orders', {
    ...orders,
    permission: 'orders:write',
    summary: 'Create a complimentary order',
    description: 'Gives a member titles for nothing. The member gets an email and finds the order among the others.',
    idempotent: true,
    status: 201,
  })
    .input(complimentaryOrder)
    .output(complimentaryOrdered),
  acceptCancel: procedure('operator', 'POST', '/admin/orders/{code}/cancel/accept', {
    ...refunds,
    summary: 'Approve a member’s refund request',
  })
    .input(storeOrderPath)
    .output(z.object({ step: z.enum(['ACCEPT', 'REFUND']) })),
  rejectCancel: procedure('operator', 'POST', '/admin/orders/{code}/cancel/reject', {
    ...refunds,
    summary: 'Reject a member’s refund request',
    status: 204,
  }).input(cancelRejection),
  openRefunds: procedure('operator', 'GET', '/admin/refunds', {
    ...orders,
    summary: 'List refunds that wait',
    description: 'Returns refunds that wait for a decision or for their payout, oldest first, at most 200.',
  }).output(z.object({ items: z.array(openRefund) })),
  addNote: procedure('operator', 'POST', '/admin/orders/{code}/notes', {
    ...orders,
    permission: 'orders:write',
    summary: 'Add a note to an order',
    status: 204,
  }).input(orderNote),
}

const deposits = { tag: 'Admin: deposits', permission: 'deposits:write' } as const

const depositProcedures = {
  expected: procedure('operator', 'GET', '/admin/deposits', {
    ...deposits,
    permission: 'orders:read',
    summary: 'List orders that wait for a deposit',
    description: 'Returns the earliest deadline first.',
  })
    .input(depositQuery)
    .output(depositPage),
  toReturn: procedure('operator', 'GET', '/admin/deposits/to-return', {
    ...deposits,
    summary: 'List money that is to be returned',
    description: 'Returns unapplied payments, and refunds that staff transfer themselves, oldest first, at most 200.',
  }).output(moneyToReturn),
  receive: procedure('operator', 'POST', '/admin/orders/{code}/deposit', {
    ...deposits,
    summary: 'Mark an order as paid by a transfer',
    description:
      'Needs `If-Match`. A smaller amount becomes the price of the order. What exceeds the price is to be returned. Both need a reason.',
    idempotent: true,
  })
    .input(depositReceived)
    .output(depositApplied),
  match: procedure('operator', 'POST', '/admin/deposits/{id}/match', {
    ...deposits,
    summary: 'Use an unapplied payment for an order',
    description: 'Needs `If-Match` with the version of the order, which waits for a deposit.',
    idempotent: true,
  })
    .input(unappliedMatch)
    .output(depositApplied),
  recordReturn: procedure('operator', 'POST', '/admin/deposits/{id}/return', {
    ...deposits,
    summary: 'Record that an unapplied payment was returned',
    idempotent: true,
    status: 204,
  }).input(unappliedReturn),
  recordRefund: procedure('operator', 'POST', '/admin/orders/{code}/refund/transfer', {
    ...deposits,
    summary: 'Record that a refund was transferred',
    description: 'For refunds of orders whose payment staff had recorded. No provider pays them out.',
    idempotent: true,
    status: 204,
  }).input(refundTransfer),
}

const members = { tag: 'Admin: members', permission: 'members:read' } as const

const memberProcedures = {
  list: procedure('operator', 'GET', '/admin/members', {
    ...members,
    summary: 'List members',
    description: 'Returns the latest members first, without withdrawn accounts.',
  })
    .input(storeMemberQuery)
    .output(storeMemberPage),
  export: procedure('operator', 'GET', '/admin/members.csv', {
    ...members,
    permission: 'members:write',
    summary: 'Export members as CSV',
    description: 'Returns all members that fit the search, latest first, as a stream. The audit log names the export.',
  })
    .input(storeMemberExport)
    .output(csvFile),
  get: procedure('operator', 'GET', '/admin/members/{id}', {
    ...members,
    summary: 'Retrieve a member',
    description: 'Returns the profile with titles, sessions, the latest plays and the history.',
  })
    .input(storeMemberPath)
    .output(storeMember),
  signOut: procedure('operator', 'DELETE', '/admin/members/{id}/sessions', {
    ...members,
    permission: 'members:write',
    summary: 'Sign a member out of all sessions',
    status: 204,
  }).input(storeMemberPath),
  block: procedure('operator', 'POST', '/admin/members/{id}/block', {
    ...members,
    permission: 'members:write',
    summary: 'Block a member',
    description:
      'All sessions end, and sign-in answers MEMBER_BLOCKED. Orders stay as they are. With `cancelsSubscription` the subscription ends with its paid period.',
    status: 204,
  }).input(memberBlock),
  unblock: procedure('operator', 'POST', '/admin/members/{id}/unblock', {
    ...members,
    permission: 'members:write',
    summary: 'Let a blocked member sign in again',
    status: 204,
  }).input(memberUnblock),
  subscription: procedure('operator', 'GET', '/admin/members/{id}/subscription', {
    ...members,
    summary: 'Retrieve a member’s subscription and its charges',
  })
    .input(storeMemberPath)
    .output(memberSubscription),
  cancelSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/cancel', {
    ...members,
    permission: 'members:write',
    summary: 'Cancel a member’s subscription at the end of the paid period',
    description: 'Needs `If-Match`. An overdue subscription ends at once.',
    status: 204,
  }).input(memberSubscriptionCancel),
  endSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/end', {
    ...members,
    permission: 'refunds:write',
    summary: 'End a member’s subscription now and refund its unused share',
    description:
      'Needs `If-Match`. Access ends at once. Nothing is refunded in a trial or for an overdue subscription.',
  })
    .input(memberSubscriptionCancel)
    .output(subscriptionEnded),
  erase: procedure('operator', 'POST', '/admin/members/{id}/erase', {
    ...members,
    permission: 'members:write',
    summary: 'Delete the account of a member who asks for it',
    description:
      'Personal data is erased, and what the law requires stays without a name. Answers WITHDRAWAL_BLOCKED while an order waits for its deposit or refund.',
    status: 204,
  }).input(memberErasure),
  changeEmail: procedure('operator', 'PUT', '/admin/members/{id}/email', {
    ...members,
    permission: 'members:write',
    summary: 'Change the email address of a member',
    description: 'All sessions end. The former and the new address get an email.',
    status: 204,
  }).input(memberEmail),
  addNote: procedure('operator', 'POST', '/admin/members/{id}/notes', {
    ...members,
    permission: 'members:write',
    summary: 'Add a note to a member',
    status: 204,
  }).input(memberNote),
  grantTitle: procedure('operator', 'POST', '/admin/members/{id}/titles', {
    ...members,
    permission: 'members:write',
    summary: 'Grant a member a title without an order',
    description: 'Refused while the member owns the title or has been granted it. A draft cannot be granted.',
    idempotent: true,
    status: 204,
  }).input(titleGrant),
  revokeTitle: procedure('operator', 'POST', '/admin/members/{id}/titles/{productCode}/revoke', {
    ...members,
    permission: 'members:write',
    summary: 'Take a granted title away',
    description: 'Access ends at once. Titles that were bought or rented stay: their orders are refunded instead.',
    status: 204,
  }).input(titleRevocation),
}

const comments = { tag: 'Admin: comments', permission: 'comments:write' } as const
const inquiries = { tag: 'Admin: inquiries', permission: 'inquiries:read' } as const

const commentProcedures = {
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

const inquiryProcedures = {
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

const caseProcedures = {
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

const mailProcedures = {
  list: procedure('operator', 'GET', '/admin/mails', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'List emails',
    description: 'Returns the latest first.',
  })
    .input(storeMailQuery)
    .output(storeMailPage),
  resend: procedure('operator', 'POST', '/admin/mails/{id}/resend', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send a failed email again',
    status: 204,
  }).input(storeMailPath),
}

const products = { tag: 'Admin: products', permission: 'products:read' } as const
const productWrites = { ...products, permission: 'products:write' } as const

const productProcedures = {
  list: procedure('operator', 'GET', '/admin/products', {
    ...products,
    summary: 'List products in any state',
    description: 'Returns the latest first.',
  })
    .input(storeProductQuery)
    .output(storeProductPage),
  get: procedure('operator', 'GET', '/admin/products/{code}', { ...products, summary: 'Retrieve a product to edit' })
    .input(storeProductPath)
    .output(storeProduct),
  create: procedure('operator', 'POST', '/admin/products', {
    ...productWrites,
    summary: 'Create a product',
    description: 'It begins as a draft, with a plain poster.',
    status: 201,
  })
    .input(storeProductCreate)
    .output(storeProduct),
  change: procedure('operator', 'PATCH', '/admin/products/{code}', {
    ...productWrites,
    summary: 'Change a product and its options',
    description: 'Needs `If-Match`.',
  })
    .input(storeProductChange)
    .output(storeProduct),
  duplicate: procedure('operator', 'POST', '/admin/products/{code}/duplicate', {
    ...productWrites,
    summary: 'Duplicate a product as a draft',
    description:
      'Copies texts, translations, pictures, categories and options with their prices, without videos, lessons, files and sales.',
    status: 201,
  })
    .input(storeProductDuplicate)
    .output(storeProduct),
  changeMany: procedure('operator', 'POST', '/admin/products/bulk', {
    ...productWrites,
    summary: 'Change the status or the categories of many products',
    description:
      'Each product is changed by itself, and the answer has a result for each. One without content is not put on sale.',
  })
    .input(storeProductBulk)
    .output(storeProductBulkResult),
  createPreview: procedure('operator', 'POST', '/admin/products/{code}/previews', {
    ...productWrites,
    summary: 'Create a link that shows a product in any state',
    description: 'Anyone with the link sees the page of the product for 7 days, and a closed store around it.',
    status: 201,
  })
    .input(storeProductPath)
    .output(storePreview),
  parts: procedure('operator', 'GET', '/admin/products/{code}/parts', {
    ...products,
    summary: 'List the lessons and files of a product',
  })
    .input(storeProductPath)
    .output(storeProductParts),
  changeParts: procedure('operator', 'PATCH', '/admin/products/{code}/parts', {
    ...productWrites,
    summary: 'Change the lessons and files of a product',
    description: 'Needs `If-Match`. A list replaces the present one. The video of a removed lesson is deleted later.',
  })
    .input(storeProductPartsChange)
    .output(storeProductParts),
  addAttachment: procedure('operator', 'POST', '/admin/products/{code}/attachments', {
    ...productWrites,
    summary: 'Add a file to a product',
    description: 'It is the last of its files.',
    status: 201,
  })
    .input(storeAttachmentUpload)
    .output(storeProductParts),
  posters: procedure('operator', 'GET', '/admin/products/{code}/posters', {
    ...products,
    summary: 'List the poster candidates of a product’s video',
    description: 'Empty while there is no video.',
  })
    .input(storeProductPath)
    .output(posterChoices),
  choosePoster: procedure('operator', 'POST', '/admin/products/{code}/poster', {
    ...productWrites,
    summary: 'Choose the poster of a product',
    status: 204,
  }).input(posterChoice),
}

const categoryProcedures = {
  list: procedure('operator', 'GET', '/admin/categories', {
    ...products,
    summary: 'List the category tree to edit',
  }).output(storeCategories),
  create: procedure('operator', 'POST', '/admin/categories', {
    ...productWrites,
    summary: 'Create a category',
    description: 'It is the last of its parent.',
    status: 201,
  })
    .input(storeCategoryCreate)
    .output(storeCategories),
  update: procedure('operator', 'PATCH', '/admin/categories/{id}', {
    ...productWrites,
    summary: 'Rename a category or change its slug',
    description: 'Needs `If-Match`. The former address redirects to the new one.',
  })
    .input(storeCategoryUpdate)
    .output(storeCategories),
  move: procedure('operator', 'POST', '/admin/categories/{id}/move', {
    ...productWrites,
    summary: 'Move a category with all below it',
    description: 'Needs `If-Match`. Its products join the categories above it and leave the former ones.',
  })
    .input(storeCategoryMove)
    .output(storeCategories),
  delete: procedure('operator', 'DELETE', '/admin/categories/{id}', {
    ...productWrites,
    summary: 'Delete an empty category',
    description: 'Needs `If-Match`. Answers CONFLICT while categories, products or plans are in it.',
  })
    .input(storeCategoryPath)
    .output(storeCategories),
}

const settingsProcedures = {
  read: procedure('operator', 'GET', '/admin/settings', {
    tag: 'Admin: settings',
    permission: 'settings:read',
    summary: 'Retrieve the settings of the store',
  }).output(storeSettings),
  update: procedure('operator', 'PATCH', '/admin/settings', {
    tag: 'Admin: settings',
    permission: 'settings:write',
    summary: 'Change settings of the store',
    description: 'Needs `If-Match`. Settings that are left out stay. Visitors see the change with their next request.',
  })
    .input(storeSettingsChange)
    .output(storeSettings),
  setPicture: brandPictureProcedure,
}

const store = { tag: 'Admin: store', permission: 'store:write' } as const

const storeProcedures = {
  read: procedure('operator', 'GET', '/admin/store', {
    ...store,
    permission: 'settings:read',
    summary: 'Retrieve the state of the store and its launch checklist',
  }).output(storeStatus),
  open: procedure('operator', 'POST', '/admin/store/open', {
    ...store,
    summary: 'Open the store to visitors',
    description: 'Answers CONFLICT while the launch checklist has something missing. `data.missing` lists its codes.',
  }).output(storeStatus),
  close: procedure('operator', 'POST', '/admin/store/close', {
    ...store,
    summary: 'Close the store to visitors',
    description: 'Visitors see a coming-soon page. `code` is the customer code, as a confirmation.',
  })
    .input(storeClose)
    .output(storeStatus),
  createPreview: procedure('operator', 'POST', '/admin/store/previews', {
    ...store,
    permission: 'settings:read',
    summary: 'Create a link that shows the store before it opens',
    description: 'Anyone with the link sees the store for 7 days.',
    status: 201,
  }).output(storePreview),
}

/** The first screen of the console. */
const homeProcedure = procedure('operator', 'GET', '/admin/home', {
  tag: 'Admin: home',
  permission: 'orders:read',
  summary: 'Retrieve today’s figures and what waits',
}).output(home)

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
  members: memberProcedures,
  comments: commentProcedures,
  inquiries: inquiryProcedures,
  cases: caseProcedures,
  mails: mailProcedures,
  products: productProcedures,
  categories: categoryProcedures,
  settings: settingsProcedures,
  store: storeProcedures,
  notices: noticeProcedures,
  faq: faqProcedures,
  pages: pageProcedures,
  banners: bannerProcedures,
  previewHtml: previewProcedure,
  home: homeProcedure,
}
