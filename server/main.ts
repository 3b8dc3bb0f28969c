import { readConfig } from '#api/config.ts'
import { applyEnvironmentFile, readEnvironment } from './environment.ts'
import { notifyReady, readRole } from './processes.ts'
import { runUntilStopped } from './run.ts'

const production = { NODE_ENV: 'production' }

// The supervisor of several processes loads none of this.
const serve = async () => {
  const { firstStoreUrl, startMarquee } = await import('./start.ts')
  const marquee = await startMarquee(readConfig({ ...production, ...applyEnvironmentFile() }))
  if (!marquee.deps.mailer)
    marquee.deps.log.warn('SMTP_URL is not set. Emails are not sent, so nobody can sign up or reset a password')
  marquee.deps.log.info({ url: marquee.url }, 'Marquee is ready')
  const url = await firstStoreUrl(marquee)
  if (url) {
    marquee.deps.log.info({ url }, 'There is no store yet. Create the first one at this address')
    // For people who start it in a terminal: the log is lines of JSON.
    process.stderr.write(`\nThere is no store yet. Create the first one here:\n\n  ${url}\n\n`)
  }
  notifyReady()
  return marquee
}

const work = async () => {
  const { startWorkerProcess } = await import('./start-worker.ts')
  const worker = await startWorkerProcess()
  notifyReady()
  return worker
}

const start = async () => {
  const role = readRole()
  if (role === 'worker') return work()
  const config = readConfig({ ...production, ...readEnvironment().variables })
  if (role !== null || config.webConcurrency === 1) return serve()
  const { startProcesses } = await import('./start-processes.ts')
  return startProcesses(config)
}

// Production, configured by the environment and the environment file: `npm start`.
await runUntilStopped(start, { isService: true })
