import { readConfig } from '#api/config.ts'
import { runUntilStopped } from './run.ts'
import { startMarquee } from './start.ts'

// Production, configured by the environment: `npm start`.
await runUntilStopped(async () => {
  const marquee = await startMarquee(readConfig({ NODE_ENV: 'production', ...process.env }))
  if (!marquee.deps.mailer)
    marquee.deps.log.warn('SMTP_URL is not set: mails are written and reach nobody, so nobody can join')
  marquee.deps.log.info({ url: marquee.url }, 'Marquee is ready')
  return marquee
})
