import { memberNote, storeMember, storeMemberPage, storeMemberPath, storeMemberQuery } from '../../admin/members.ts'
import { procedure } from '../procedure.ts'

const tag = 'Admin: members'
const read = { tag, permission: 'members:read' } as const
const write = { tag, permission: 'members:write' } as const

export const adminMemberProcedures = {
  list: procedure('operator', 'GET', '/admin/members', {
    ...read,
    summary: 'List members',
    description: 'Returns the latest members first, without withdrawn accounts.',
  })
    .input(storeMemberQuery)
    .output(storeMemberPage),
  get: procedure('operator', 'GET', '/admin/members/{id}', {
    ...read,
    summary: 'Retrieve a member',
    description: 'Returns the profile with titles, sessions, the latest plays and the history.',
  })
    .input(storeMemberPath)
    .output(storeMember),
  signOut: procedure('operator', 'DELETE', '/admin/members/{id}/sessions', {
    ...write,
    summary: 'Sign a member out of all sessions',
    status: 204,
  }).input(storeMemberPath),
  addNote: procedure('operator', 'POST', '/admin/members/{id}/notes', {
    ...write,
    summary: 'Add a note to a member',
    status: 204,
  }).input(memberNote),
}
