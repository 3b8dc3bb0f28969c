import type { JoinStage } from '#contract/accounts.ts'

/** How far a join has come, without the token: that stays where no script reads it. */
export type JoinStep = Omit<JoinStage, 'token'>

export type JoinPage = '/join/input' | '/join/verify' | '/join/completed'

/**
 * Where somebody who asks for a page of joining belongs: there, or at the first step that is not done yet. One may go back to
 * the form from the code; once all is done only the last page is left.
 */
export function joinPageFor(asked: JoinPage, step: JoinStep | null): JoinPage {
  if (!step) return '/join/input'
  if (step.stage === 'COMPLETED') return '/join/completed'
  return asked === '/join/completed' ? '/join/verify' : asked
}
