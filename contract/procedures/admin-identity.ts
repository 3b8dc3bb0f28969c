import * as z from 'zod/mini'
import { csvFile } from '../admin/lists.ts'
import {
  memberBlock,
  memberChange,
  memberCreated,
  memberEmail,
  memberErasure,
  memberExport,
  memberFacets,
  memberForm,
  memberMerge,
  memberNote,
  memberTagChange,
  memberTagList,
  memberTagResult,
  memberUnblock,
  memberView,
  memberViewing,
  partnershipChange,
  partnershipChanges,
  partnershipRestore,
  partnershipResult,
  storeMember,
  storeMemberExport,
  storeMemberPage,
  storeMemberPath,
  storeMemberQuery,
  titleGrant,
  titleRevocation,
} from '../admin/members.ts'
import { memberSubscriptionProcedures as subscriptions } from './admin-subscriptions.ts'
import { procedure } from './procedure.ts'

const members = { tag: 'Admin: members', permission: 'members:read' } as const

export const memberProcedures = {
  list: procedure('operator', 'GET', '/admin/members', {
    ...members,
    summary: 'List members',
    description: 'Returns the latest members first, without deleted accounts unless `state` asks for them.',
  })
    .input(storeMemberQuery)
    .output(storeMemberPage),
  create: procedure('operator', 'POST', '/admin/members', {
    ...members,
    permission: 'members:write',
    summary: 'Create a member',
    description:
      'The person gets an email with a link that sets the password, valid for 7 days, and gives the consents of a sign-up with it. VALIDATION_FAILED for an address that a member has returns their id in `memberId`.',
    status: 201,
  })
    .input(memberForm)
    .output(memberCreated),
  export: procedure('operator', 'GET', '/admin/members.csv', {
    ...members,
    permission: 'members:write',
    summary: 'Export members as CSV',
    description:
      'Returns all members that fit the filters, in the order of the list, as a stream. The audit log names the export.',
  })
    .input(storeMemberExport)
    .output(csvFile),
  facets: procedure('operator', 'GET', '/admin/members/facets', {
    ...members,
    summary: 'List the plans and partnerships to filter members by',
  }).output(memberFacets),
  tags: procedure('operator', 'GET', '/admin/members/tags', {
    ...members,
    summary: 'List the tags of members',
  }).output(memberTagList),
  changeTags: procedure('operator', 'POST', '/admin/members/tags', {
    ...members,
    permission: 'members:write',
    summary: 'Add and remove tags of members',
    description: 'Each member is changed by itself, and the answer has a result for each.',
  })
    .input(memberTagChange)
    .output(memberTagResult),
  get: procedure('operator', 'GET', '/admin/members/{id}', {
    ...members,
    summary: 'Retrieve a member',
    description: 'Returns the profile with titles, sessions, the latest plays and the history.',
  })
    .input(storeMemberPath)
    .output(storeMember),
  change: procedure('operator', 'PATCH', '/admin/members/{id}', {
    ...members,
    permission: 'members:write',
    summary: 'Change the profile of a member',
    versioned: true,
    description: 'Can withdraw the consent to marketing. Only the member gives it.',
    status: 204,
  }).input(memberChange),
  signOut: procedure('operator', 'DELETE', '/admin/members/{id}/sessions', {
    ...members,
    permission: 'members:write',
    summary: 'Sign a member out of all sessions',
    status: 204,
  }).input(storeMemberPath),
  view: procedure('staff', 'POST', '/admin/members/{id}/view', {
    ...members,
    permission: 'members:write',
    summary: 'See the store as a member sees it',
    description:
      'The token reads what the member may read, for half an hour. All writes with it answer READ_ONLY. To the console it comes as the storefront’s cookie.',
    status: 201,
  })
    .input(memberView)
    .output(memberViewing),
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
  ...subscriptions,
  exportData: procedure('operator', 'POST', '/admin/members/{id}/export', {
    ...members,
    permission: 'members:write',
    summary: 'Export the data of a member who asks for it',
    description: 'Returns all data that is stored about the member, as the member’s own export does.',
  })
    .input(memberExport)
    .output(z.record(z.string(), z.unknown())),
  erase: procedure('operator', 'POST', '/admin/members/{id}/erase', {
    ...members,
    permission: 'members:write',
    secondFactor: true,
    summary: 'Delete the account of a member who asks for it',
    description:
      'Personal data is erased, and what the law requires stays without a name. Answers WITHDRAWAL_BLOCKED while an order waits for its deposit or refund.',
    status: 204,
  }).input(memberErasure),
  merge: procedure('operator', 'POST', '/admin/members/{id}/merge', {
    ...members,
    permission: 'members:write',
    secondFactor: true,
    summary: 'Merge another account of the same person into this one',
    description:
      'Orders, titles, past subscriptions, progress, likes, comments and inquiries of `otherId` move to this member, as does a longer partnership, and the other account is deleted. Answers CONFLICT while the other account has a subscription, or an order that waits for its deposit or refund.',
    status: 204,
  }).input(memberMerge),
  changeEmail: procedure('operator', 'PUT', '/admin/members/{id}/email', {
    ...members,
    permission: 'members:write',
    secondFactor: true,
    summary: 'Change the email address of a member',
    description:
      'All sessions end. The former and the new address get an email. For a member who was invited and has no password yet, the new address gets the invitation instead, and its earlier link ends.',
    status: 204,
  }).input(memberEmail),
  sendPasswordReset: procedure('operator', 'POST', '/admin/members/{id}/password-reset', {
    ...members,
    permission: 'members:write',
    summary: 'Mail a member a link that sets a new password',
    description:
      'The link is in the email alone. A member who was invited and has no password yet gets the invitation again. A link of the last ten minutes is extended instead.',
    status: 204,
  }).input(storeMemberPath),
  setPartnership: procedure('operator', 'PUT', '/admin/members/{id}/partnership', {
    ...members,
    permission: 'members:write',
    summary: 'Give a member all titles of plans until a day, or end that',
    description: 'To end a partnership that is not there or over changes nothing, and is not in the history.',
    status: 204,
  }).input(partnershipChange),
  changePartnerships: procedure('operator', 'POST', '/admin/members/partnerships', {
    ...members,
    permission: 'members:write',
    summary: 'Give many members all titles of plans until a day, or end that',
    description: 'Each member is changed by itself, and the answer has a result for each.',
  })
    .input(partnershipChanges)
    .output(partnershipResult),
  restorePartnerships: procedure('operator', 'POST', '/admin/members/partnerships/restore', {
    ...members,
    permission: 'members:write',
    summary: 'Undo a change of many partnerships',
    description: 'A member who was changed since stays as they are.',
  })
    .input(partnershipRestore)
    .output(partnershipResult),
  addNote: procedure('operator', 'POST', '/admin/members/{id}/notes', {
    ...members,
    permission: 'members:write',
    summary: 'Add a note to a member',
    status: 204,
  }).input(memberNote),
  grantTitle: procedure('operator', 'POST', '/admin/members/{id}/titles', {
    ...members,
    permission: 'members:write',
    secondFactor: true,
    summary: 'Grant a member a title without an order',
    description:
      'Refused while the member owns the title, has been granted it, pays for it, or has an order of it that waits for its deposit. An open card page is closed. A draft cannot be granted.',
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
