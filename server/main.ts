import { readConfig } from '#api/config.ts'
import { applyEnvironmentFile, readEnvironment } from './environment.ts'
import { notifyReady, readRole } from './processes.ts'
import { runUntilStopped } from './run.ts'
import { startMarquee } from './start.ts'
import { startProcesses } from './start-processes.ts'
import { startWorkerProcess } from './start-worker.ts'

const production = { NODE_ENV: 'production' }

const serve = async () => {
  const marquee = await startMarquee(readConfig({ ...production, ...applyEnvironmentFile() }))
  if (!marquee.deps.mailer)
    marquee.deps.log.warn('SMTP_URL is not set. Emails are not sent, so nobody can sign up or reset a password')
  marquee.deps.log.info({ url: marquee.url }, 'Marquee is ready')
  notifyReady()
  return marquee
}

const work = async () => {
  const worker = await startWorkerProcess()
  notifyReady()
  return worker
}

const start = () => {
  const role = readRole()
  if (role === 'worker') return work()
  const config = readConfig({ ...production, ...readEnvironment().variables })
  return role === null && config.webConcurrency > 1 ? startProcesses(config) : serve()
}

// Production, configured by the environment and the environment file: `npm start`.
await runUntilStopped(start)
