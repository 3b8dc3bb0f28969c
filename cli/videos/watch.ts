import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { VideoJob } from '#contract/videos.ts'
import { jobInWords } from './words.ts'

const lookEvery = 500

export interface Watching {
  read: () => Promise<VideoJob[]>
  cancel: () => Promise<void>
  /** Called with every poll, to start the local worker on new jobs. */
  nudge: () => void
  /** Printed on Ctrl-C: what happens to the jobs after the command has ended. */
  whenLeft: string
}

/**
 * Shows the progress of jobs until all have ended. Ctrl-C asks whether to cancel them, and cancels
 * where no terminal is attached. A second one leaves. Returns the ended jobs; null where the
 * operator left.
 */
export const watchJobs = async ({ read, cancel, nudge, whenLeft }: Watching): Promise<VideoJob[] | null> => {
  const { stdout, stdin } = process
  const asks = stdout.isTTY && stdin.isTTY
  let [pressed, lines] = [0, 0]
  const onSignal = () => {
    pressed++
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  const said = new Map<string, string>()
  const show = (jobs: VideoJob[]) => {
    if (stdout.isTTY) {
      const width = Math.max(20, stdout.columns - 1)
      stdout.write(
        `${lines > 0 ? `\x1b[${lines}A` : ''}${jobs.map((job) => `\r\x1b[K${jobInWords(job).slice(0, width)}\n`).join('')}`,
      )
      lines = jobs.length
      return
    }
    // A log gets a line per ten percent and per change of status.
    for (const job of jobs) {
      const state = `${job.status} ${job.step} ${Math.floor(job.percent / 10)}`
      if (said.get(job.id) !== state) console.log(jobInWords(job))
      said.set(job.id, state)
    }
  }
  try {
    for (;;) {
      nudge()
      const jobs = await read()
      show(jobs)
      if (jobs.every(({ endedAt }) => endedAt !== null)) return jobs
      await sleep(lookEvery)
      if (pressed === 0) continue
      if (asks) {
        pressed = 0
        const answer = await ask(`Cancel? [y/N] (${whenLeft} by Ctrl-C again) `)
        lines = 0
        if (answer === null) return null
        if (!/^y/i.test(answer)) continue
      }
      await cancel()
      pressed = 0
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
  }
}

/** Reads a line from the terminal; null for Ctrl-C. */
const ask = async (question: string): Promise<string | null> => {
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  const left = new AbortController()
  asking.once('SIGINT', () => left.abort())
  try {
    return await asking.question(question, { signal: left.signal })
  } catch {
    return null
  } finally {
    asking.close()
  }
}
