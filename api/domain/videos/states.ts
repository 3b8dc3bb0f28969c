export type VideoJobStatus = 'QUEUED' | 'RUNNING' | 'READY' | 'FAILED' | 'CANCELLED'

export type VideoJobChange = 'TAKEN' | 'FINISHED' | 'FAILED' | 'PUT_OFF' | 'CANCELLED' | 'RETRIED'

/** Every transition a video's job may take. A change that is not listed for a state does not happen. */
export const videoJobTransitions = {
  QUEUED: { TAKEN: 'RUNNING', CANCELLED: 'CANCELLED' },
  // Put off: a fault that may pass, or a worker that is gone.
  RUNNING: { FINISHED: 'READY', FAILED: 'FAILED', PUT_OFF: 'QUEUED', CANCELLED: 'CANCELLED' },
  FAILED: { RETRIED: 'QUEUED' },
  CANCELLED: { RETRIED: 'QUEUED' },
  READY: {},
} as const satisfies Record<VideoJobStatus, Partial<Record<VideoJobChange, VideoJobStatus>>>

/** The states a change may happen in. */
export const statesBefore = (change: VideoJobChange): VideoJobStatus[] =>
  (Object.keys(videoJobTransitions) as VideoJobStatus[]).filter((state) => change in videoJobTransitions[state])

/** What a change leads to, whichever of its states it happens in. */
export const stateAfter: Record<VideoJobChange, VideoJobStatus> = {
  TAKEN: 'RUNNING',
  FINISHED: 'READY',
  FAILED: 'FAILED',
  PUT_OFF: 'QUEUED',
  CANCELLED: 'CANCELLED',
  RETRIED: 'QUEUED',
}

/**
 * How often a file is begun before it is given up, each time it is asked for; and how long is waited after each fault that may pass,
 * in seconds.
 */
export const attemptsAtMost = 5
export const waitAfterAttempt = [15, 60, 300, 900] as const
/** Which of those an attempt is, from 1. Attempts are counted on when a job is asked for again, so that no two have one number. */
export const turnOf = (attempts: number) => ((attempts - 1) % attemptsAtMost) + 1
/** What the attempts of a job that is asked for again are counted on from. */
export const countedOnFrom = (attempts: number) => Math.ceil(attempts / attemptsAtMost) * attemptsAtMost

/** A worker says that often that it is alive; one that has not for so long has lost its job to others. Seconds. */
export const heartbeatSeconds = 1
export const lostAfterSeconds = 30

/**
 * Faults of the surroundings: the same file may succeed another time, so its source is kept for a while. Every other failure is the
 * file's own, and its source is not kept.
 */
export const passingFailures = [
  'ENCODER_MISSING',
  'ENCODER_FAILED',
  'DISK_FULL',
  'STORAGE',
  'WORKER_LOST',
  'UNEXPECTED',
] as const
export type PassingFailure = (typeof passingFailures)[number]
export const isPassing = (failure: string | null) => passingFailures.includes(failure as PassingFailure)

const hour = 3_600_000
/** How long the source of a failed or cancelled job waits for another try. */
export const sourcesKeptMilliseconds = 7 * 24 * hour
/** How long an exchanged stream's files stay: longer than any address of them was made for. */
export const retiredKeptMilliseconds = 6 * hour
