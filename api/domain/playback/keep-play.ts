import type { Ctx } from '#api/context.ts'
import { endPlay, type PlayEnd, playOfSession, signOfPlay } from '#api/db/queries/plays.ts'
import type { PlayId } from '#contract/ids.ts'

/** Takes a player's sign of life, or its leave. Answers how the play stands; one that is not this session's counts as closed. */
export const keepPlay = async (
  { db, customer, actor, clock }: Ctx,
  { playId, state = 'PLAYING' }: { playId?: PlayId | undefined; state?: 'PLAYING' | 'LEFT' | undefined },
): Promise<'LIVE' | PlayEnd | null> => {
  if (!playId || actor.kind !== 'USER') return null
  const play = await playOfSession(db, customer.id, actor.sessionId, playId)
  if (!play) return 'CLOSED'
  if (play.endedBy) return play.endedBy
  const now = clock.now()
  if (state === 'LEFT') {
    await endPlay(db, customer.id, actor.memberId, playId, 'LEFT', now)
    return 'LEFT'
  }
  await signOfPlay(db, customer.id, playId, now)
  return 'LIVE'
}
