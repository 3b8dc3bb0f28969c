import * as z from 'zod/mini'
import { operatorTokenId, staffId, staffInvitationId, staffRoleId, staffSessionId } from '../ids.ts'
import {
  currentStaff,
  invitationAccept,
  invitationCheck,
  invitationChecked,
  operatorTokenCreated,
  operatorTokenForm,
  operatorTokenListing,
  passkeyCreation,
  passkeyForm,
  passkeyProof,
  passkeyRemoval,
  passkeyRequest,
  passwordConfirm,
  recoveryCodes,
  roleChange,
  roleForm,
  roleListing,
  secondFactorReset,
  staffEmailChange,
  staffEmailChanged,
  staffEmailConfirm,
  staffInvitation,
  staffInvite,
  staffInvited,
  staffPasskey,
  staffPasswordChange,
  staffPerson,
  staffProfileChange,
  staffReset,
  staffResetRequest,
  staffRoleChange,
  staffSession,
  staffSignedIn,
  staffSignInForm,
  staffStores,
  totpConfirm,
  totpSetup,
} from '../staff.ts'
import { savedViewProcedures as views } from './admin-staff.ts'
import { procedure } from './procedure.ts'

const tag = 'Staff'
const read = { tag, permission: 'staff:read' } as const
const write = { tag, permission: 'staff:write' } as const

const passkeys = {
  passkeyChallenge: procedure('guest', 'POST', '/staff/passkey-challenges', {
    tag,
    summary: 'Request the challenge of a passkey',
    description: 'The challenge is valid for 5 minutes, at the host of the request.',
    status: 201,
  }).output(passkeyRequest),
  signInWithPasskey: procedure('guest', 'POST', '/staff/sessions/passkey', {
    tag,
    summary: 'Sign in as staff with a passkey',
    description: 'As the sign-in with a password. The session needs no second factor.',
    status: 201,
  })
    .input(passkeyProof)
    .output(staffSignedIn),
  confirmPasskey: procedure('staff', 'POST', '/staff/session/passkey', {
    tag,
    summary: 'Confirm the session with a passkey',
    status: 204,
  }).input(passkeyProof),
  passkeys: procedure('staff', 'GET', '/staff/me/passkeys', { tag, summary: 'List passkeys' }).output(
    z.object({ items: z.array(staffPasskey) }),
  ),
  startPasskey: procedure('staff', 'POST', '/staff/me/passkeys/options', {
    tag,
    summary: 'Begin to add a passkey',
    description: 'Needs the password.',
  })
    .input(passwordConfirm)
    .output(passkeyCreation),
  addPasskey: procedure('staff', 'POST', '/staff/me/passkeys', {
    tag,
    summary: 'Add a passkey',
    description:
      'Confirms the session. Returns recovery codes, once, if the person has none yet. A person can have 20 passkeys at a store.',
    status: 201,
  })
    .input(passkeyForm)
    .output(recoveryCodes),
  removePasskey: procedure('staff', 'POST', '/staff/me/passkeys/{id}/remove', {
    tag,
    summary: 'Remove a passkey',
    description: 'Needs the password.',
    status: 204,
  }).input(passkeyRemoval),
}

/** Sign-in, sessions and second factors of the caller. */
const account = {
  signIn: procedure('guest', 'POST', '/staff/sessions', {
    tag,
    summary: 'Sign in as staff',
    description:
      'Returns a bearer token of the store. A request with the header `x-console` gets a cookie instead, which counts for requests of the same origin. With the stage SECOND_FACTOR_NEEDED, confirm the second factor next.',
    status: 201,
  })
    .input(staffSignInForm)
    .output(staffSignedIn),
  signOut: procedure('staff', 'DELETE', '/staff/session', { tag, summary: 'Sign out', status: 204 }),
  me: procedure('staff', 'GET', '/staff/me', { tag, summary: 'Retrieve the signed-in staff member' }).output(
    currentStaff,
  ),
  stores: procedure('staff', 'GET', '/staff/me/stores', {
    tag,
    summary: 'List the stores of the signed-in staff member',
    description:
      'Returns those that the person belongs to and that have an address, by name. A store that the person joins appears within five minutes. Sessions are of one store.',
  }).output(staffStores),
  changeProfile: procedure('staff', 'PATCH', '/staff/me', { tag, summary: 'Update the profile', status: 204 }).input(
    staffProfileChange,
  ),
  changePassword: procedure('staff', 'POST', '/staff/me/password', {
    tag,
    summary: 'Change the password',
    description: 'Ends all other sessions, those at other stores included.',
    status: 204,
  }).input(staffPasswordChange),
  requestEmailChange: procedure('staff', 'POST', '/staff/me/email', {
    tag,
    summary: 'Request another email address',
    description:
      'Needs the password. Sends a link to the new address, valid for 30 minutes. The present address stays until the link is confirmed.',
    status: 204,
  }).input(staffEmailChange),
  confirmEmailChange: procedure('guest', 'POST', '/staff/email-changes/confirm', {
    tag,
    summary: 'Confirm another email address',
    description:
      'Changes the address at all stores, with the key of the link, once. All sessions end but the one in which it was requested, and so do the links that were mailed before. The former address gets an email. Returns 404 for an expired or used key.',
  })
    .input(staffEmailConfirm)
    .output(staffEmailChanged),
  sessions: procedure('staff', 'GET', '/staff/me/sessions', { tag, summary: 'List sessions' }).output(
    z.object({ items: z.array(staffSession) }),
  ),
  endSession: procedure('staff', 'DELETE', '/staff/me/sessions/{id}', {
    tag,
    summary: 'Sign out of a session',
    status: 204,
  }).input(z.object({ id: staffSessionId })),
  endOtherSessions: procedure('staff', 'DELETE', '/staff/me/sessions', {
    tag,
    summary: 'Sign out of all other sessions',
    status: 204,
  }),
  confirmSecondFactor: procedure('staff', 'POST', '/staff/session/second-factor', {
    tag,
    summary: 'Confirm the session with the second factor',
    description:
      'Takes the code of the authenticator app, or a recovery code. A passkey is confirmed by its own procedure.',
    status: 204,
  }).input(totpConfirm),
  startTotp: procedure('staff', 'POST', '/staff/me/totp', {
    tag,
    summary: 'Begin to set up an authenticator app',
    description: 'Needs the password. A present app stays valid until the new one is confirmed.',
  })
    .input(passwordConfirm)
    .output(totpSetup),
  confirmTotp: procedure('staff', 'POST', '/staff/me/totp/confirm', {
    tag,
    summary: 'Complete the setup of an authenticator app',
    description: 'Confirms the session and returns new recovery codes, once.',
  })
    .input(totpConfirm)
    .output(recoveryCodes),
  removeTotp: procedure('staff', 'POST', '/staff/me/totp/remove', {
    tag,
    summary: 'Remove the authenticator app',
    description: 'Needs the password and a session that is confirmed with the second factor.',
    status: 204,
  }).input(passwordConfirm),
  requestReset: procedure('guest', 'POST', '/staff/password-resets', {
    tag,
    summary: 'Request a password reset',
    description:
      'Sends a link by email, valid for 30 minutes. The response and its time are the same for an unknown email address.',
    status: 204,
  }).input(staffResetRequest),
  reset: procedure('guest', 'POST', '/staff/password-resets/confirm', {
    tag,
    summary: 'Reset the password',
    description:
      'Sets a new password with the key of the link, once, and ends all sessions at all stores. The authenticator app stays. Returns 404 for an expired or used key.',
    status: 204,
  }).input(staffReset),
  checkInvitation: procedure('guest', 'POST', '/staff/invitations/check', {
    tag,
    summary: 'Retrieve an invitation by its key',
    description: 'Returns 404 for a key that has expired, was used or was revoked.',
  })
    .input(invitationCheck)
    .output(invitationChecked),
  acceptInvitation: procedure('guest', 'POST', '/staff/invitations/accept', {
    tag,
    summary: 'Accept an invitation',
    description: 'Creates the account, or adds the store to the account of another store, and signs in.',
    status: 201,
  })
    .input(invitationAccept)
    .output(staffSignedIn),
}

export const staffProcedures = {
  ...account,
  ...passkeys,
  ...views,
  people: procedure('operator', 'GET', '/staff/people', { ...read, summary: 'List staff' }).output(
    z.object({ items: z.array(staffPerson) }),
  ),
  changeRole: procedure('operator', 'PATCH', '/staff/people/{id}', {
    ...write,
    summary: 'Change the role of a staff member',
    versioned: true,
    description: 'A caller can grant only permissions that the caller has.',
    status: 204,
  }).input(staffRoleChange),
  resetSecondFactor: procedure('staff', 'POST', '/staff/people/{id}/second-factor/reset', {
    ...write,
    summary: 'Reset the second factor of a staff member who has lost it',
    description:
      'Called by a person of the staff, not by a program. Removes the authenticator app, the passkeys and the recovery codes, and ends all sessions. The person gets an email. Answers CONFLICT without a second factor, and for a person who also belongs to another store: the installation resets theirs.',
    status: 204,
  }).input(secondFactorReset),
  remove: procedure('operator', 'DELETE', '/staff/people/{id}', {
    ...write,
    summary: 'Remove a staff member from the store',
    description: 'Ends their sessions. Their account at other stores stays.',
    status: 204,
  }).input(z.object({ id: staffId })),
  invitations: procedure('operator', 'GET', '/staff/invitations', {
    ...read,
    summary: 'List open invitations',
  }).output(z.object({ items: z.array(staffInvitation) })),
  invite: procedure('operator', 'POST', '/staff/invitations', {
    ...write,
    summary: 'Invite a person by email',
    description:
      'Replaces an open invitation to the same email address. The link expires after 7 days. It is returned as `url` where the installation sends no emails.',
    status: 201,
  })
    .input(staffInvite)
    .output(staffInvited),
  revokeInvitation: procedure('operator', 'DELETE', '/staff/invitations/{id}', {
    ...write,
    summary: 'Revoke an invitation',
    status: 204,
  }).input(z.object({ id: staffInvitationId })),
  roles: procedure('operator', 'GET', '/staff/roles', {
    ...read,
    summary: 'List roles with their permissions',
  }).output(z.object({ items: z.array(roleListing) })),
  createRole: procedure('operator', 'POST', '/staff/roles', { ...write, summary: 'Create a role', status: 201 })
    .input(roleForm)
    .output(roleListing),
  changeOwnRole: procedure('operator', 'PUT', '/staff/roles/{id}', {
    ...write,
    summary: 'Change a role of the store’s own',
    versioned: true,
    status: 204,
  }).input(roleChange),
  deleteRole: procedure('operator', 'DELETE', '/staff/roles/{id}', {
    ...write,
    summary: 'Delete a role of the store’s own',
    description: 'A role that somebody has, or is invited to, is not deleted.',
    status: 204,
  }).input(z.object({ id: staffRoleId })),
  tokens: procedure('operator', 'GET', '/staff/tokens', { ...read, summary: 'List operator tokens' }).output(
    z.object({ items: z.array(operatorTokenListing) }),
  ),
  createToken: procedure('operator', 'POST', '/staff/tokens', {
    ...write,
    summary: 'Create an operator token',
    description: 'Its scopes are permissions that the caller has. The token is returned once.',
    status: 201,
  })
    .input(operatorTokenForm)
    .output(operatorTokenCreated),
  revokeToken: procedure('operator', 'DELETE', '/staff/tokens/{id}', {
    ...write,
    summary: 'Revoke an operator token',
    status: 204,
  }).input(z.object({ id: operatorTokenId })),
}
