import * as z from 'zod/mini'
import { credentials, loginAnswer, me, session } from '../accounts.ts'
import { sessionId } from '../ids.ts'
import { call } from './call.ts'

const tag = 'Account'

export const accountCalls = {
  login: call('guest', 'POST', '/login', {
    tag,
    summary: 'Sign in',
    description: 'A guest token in `x-guest-token` is merged into the member: cart, history and positions.',
  })
    .input(credentials)
    .output(loginAnswer),
  logout: call('member', 'POST', '/logout', { tag, summary: 'End this session', status: 204 }),
  me: call('member', 'GET', '/me', { tag, summary: 'The signed-in member' }).output(me),
  sessions: call('member', 'GET', '/me/sessions', { tag, summary: 'Where the member is signed in' }).output(
    z.object({ items: z.array(session) }),
  ),
  endOtherSessions: call('member', 'DELETE', '/me/sessions', { tag, summary: 'Sign out everywhere else', status: 204 }),
  endSession: call('member', 'DELETE', '/me/sessions/{id}', {
    tag,
    summary: 'Sign out one session',
    status: 204,
  }).input(z.object({ id: sessionId })),
}
