import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { VideoJob } from '#contract/media.ts'
import { describeJob } from './describe-job.ts'

const pollMilliseconds = 500

export interface WatchOptions {
  read: () => Promise<VideoJob[]>
  cancel: () => Promise<void>
  /** Called with every poll, to start the local worker on new jobs. */
  enqueue: () => void
  /** Printed on Ctrl-C: what happens to the jobs after the command has ended. */
  continueLabel: string
}

/**
 * Shows the progress of jobs until all have ended. Ctrl-C asks whether to cancel them, and cancels
 * where no terminal is attached. A second one leaves. Returns the ended jobs; null if the
 * operator left.
 */
export const watchJobs = async ({ read, cancel, enqueue, continueLabel }: WatchOptions): Promise<VideoJob[] | null> => {
  const { stdout, stdin } = process
  const isInteractive = stdout.isTTY && stdin.isTTY
  let [interrupts, lines] = [0, 0]
  const onSignal = () => {
    interrupts++
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  const printedState = new Map<string, string>()
  const show = (jobs: VideoJob[]) => {
    if (stdout.isTTY) {
      const width = Math.max(20, stdout.columns - 1)
      stdout.write(
        `${lines > 0 ? `\x1b[${lines}A` : ''}${jobs.map((job) => `\r\x1b[K${describeJob(job).slice(0, width)}\n`).join('')}`,
      )
      lines = jobs.length
      return
    }
    // A log gets a line per ten percent and per change of status.
    for (const job of jobs) {
      const state = `${job.status} ${job.step} ${Math.floor(job.percent / 10)}`
      if (printedState.get(job.id) !== state) console.log(describeJob(job))
      printedState.set(job.id, state)
    }
  }
  try {
    for (;;) {
      enqueue()
      const jobs = await read()
      show(jobs)
      if (jobs.every(({ endedAt }) => endedAt !== null)) return jobs
      await sleep(pollMilliseconds)
      if (interrupts === 0) continue
      if (isInteractive) {
        interrupts = 0
        const answer = await prompt(`Cancel? [y/N] (${continueLabel} by Ctrl-C again) `)
        lines = 0
        if (answer === null) return null
        if (!/^y/i.test(answer)) continue
      }
      await cancel()
      interrupts = 0
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}

/** Reads a line from the terminal; null for Ctrl-C. */
const prompt = async (question: string): Promise<string | null> => {
  const readline = createInterface({ input: process.stdin, output: process.stdout })
  const interrupted = new AbortController()
  readline.once('SIGINT', () => interrupted.abort())
  try {
    return await readline.question(question, { signal: interrupted.signal })
  } catch {
    return null
  } finally {
    readline.close()
  }
}
