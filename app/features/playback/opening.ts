import type * as z from 'zod/mini'
import type { Playback, playbackStart } from '#contract/playback.ts'
import { call } from '~/platform/api/call'
import { saveProgress, startPlayback } from './playback.functions'

type Wanted = z.input<typeof playbackStart>

/** The player says in place what went wrong; nothing is left for a toast. */
const saidInPlace = [0, 400, 401, 403, 404, 409, 410, 429, 500, 502, 503, 504]

/** Asks for a stream. */
export const openPlayback = (wanted: Wanted): Promise<Playback> =>
  call((signal) => startPlayback({ data: wanted, signal }), { expected: saidInPlace })

interface Asked {
  key: string
  answer: Promise<Playback>
}

let asked: Asked | undefined
let players = 0

const keyOf = ({ id, lessonId }: Wanted) => `${id} ${lessonId ?? ''}`

/** Milliseconds in which a player has to stand; one that comes later asks itself. */
const patience = 15_000

/**
 * Asks for a stream at the press that leads to its player, which takes the answer over once it stands. A player that stands already
 * asks itself: it holds a play, which makes room for the new one.
 */
export function openAhead(wanted: Wanted): void {
  if (players > 0) return
  const before = giveBack()
  const mine: Asked = { key: keyOf(wanted), answer: before.then(() => openPlayback(wanted)) }
  mine.answer.catch(() => {})
  asked = mine
  setTimeout(() => asked === mine && giveBack(), patience)
}

/** The answer to what was asked ahead, where it is the same. */
export function takeOpening(wanted: Wanted): Promise<Playback> | undefined {
  if (asked?.key !== keyOf(wanted)) return undefined
  const { answer } = asked
  asked = undefined
  return answer
}

/** Says that a player stands, until the answer is called. */
export function playerStands(): () => void {
  players++
  return () => {
    players--
    void giveBack()
  }
}

/** A stream that nobody came to watch would keep its place from another for a while. */
async function giveBack() {
  const left = asked
  asked = undefined
  if (!left) return
  try {
    const { productId: id, lessonId, resumeSeconds, positionAt, playId } = await left.answer
    if (!playId) return
    await saveProgress({
      data: {
        ...{ id, ...(lessonId && { lessonId }), positionSeconds: resumeSeconds, playedSeconds: 0 },
        ...{ at: positionAt ?? new Date().toISOString(), knownAt: positionAt, playId, state: 'LEFT' },
      },
    })
  } catch {}
}
